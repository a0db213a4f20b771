/* Compares the entity tags in a conditional request with the answer's tag. Only the text between
 * the quotes counts, without the suffix -gzip, which Apache appends when it compresses an answer.
 * The routes and the router create the tags. */
#include "http/entity_tag.h"

#include <string.h>

bool entity_tag_matches(const char *if_none_match, const char *entity_tag)
{
    const char *opaque = strchr(entity_tag, '"');
    size_t length = strlen(opaque) - 1; /* length without the closing quote */
    if (!if_none_match)
        return false;
    if (strcmp(if_none_match, "*") == 0)
        return true;
    for (const char *at = strchr(if_none_match, '"'); at; at = strchr(at + 1, '"'))
        if (strncmp(at, opaque, length) == 0 &&
            (at[length] == '"' || strncmp(at + length, "-gzip\"", 6) == 0))
            return true;
    return false;
}
