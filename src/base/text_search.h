/* Searches strings with regular expressions. */
#ifndef QSOSYNC_BASE_TEXT_SEARCH_H
#define QSOSYNC_BASE_TEXT_SEARCH_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

/* Returns whether the string matches an extended regular expression. If the string matches, `found`
 * receives the match and its first groups, `count` items in total. The flags are those of
 * regcomp(3). */
bool text_search(const char *string, const char *pattern, int flags, size_t count,
                 regmatch_t found[]);

#endif
