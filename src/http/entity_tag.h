/* Entity tags in conditional requests (RFC 9110, section 13). */
#ifndef QSOSYNC_HTTP_ENTITY_TAG_H
#define QSOSYNC_HTTP_ENTITY_TAG_H

#include <stdbool.h>

/* Returns whether the value of an If-None-Match header (NULL: no header) contains this entity tag.
 * The comparison is the weak comparison of RFC 9110, section 13.1.2. */
bool entity_tag_matches(const char *if_none_match, const char *entity_tag);

#endif
