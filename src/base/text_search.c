/* Searches with the regular expressions of the C library. Each call compiles its pattern again. */
#include "base/text_search.h"

bool text_search(const char *string, const char *pattern, int flags, size_t count,
                 regmatch_t found[])
{
    regex_t compiled;
    if (regcomp(&compiled, pattern, flags | REG_EXTENDED) != 0)
        return false;
    const bool is_found = regexec(&compiled, string, count, found, 0) == 0;
    regfree(&compiled);
    return is_found;
}
