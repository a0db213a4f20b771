/* Searches strings for regular expressions. */
#ifndef QSOSYNC_BASE_TEXT_SEARCH_H
#define QSOSYNC_BASE_TEXT_SEARCH_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

/* Returns whether the string matches an extended regular expression. If so, `found` receives the
 * groups. The flags are those of regcomp. */
bool text_search(const char *string, const char *pattern, int flags, size_t count,
                 regmatch_t found[]);

#endif
