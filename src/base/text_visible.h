/* Finds and replaces control characters and invisible characters in texts from outside. */
#ifndef QSOSYNC_BASE_TEXT_VISIBLE_H
#define QSOSYNC_BASE_TEXT_VISIBLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* Returns whether UTF-8 text contains a control character: one below U+0020, or from U+007F to
 * U+009F. */
bool text_has_control(struct text text);

/* Returns whether UTF-8 text contains an invisible character that changes how other characters
 * appear. Such characters change the text direction (U+061C, U+200E, U+200F, U+202A to U+202E,
 * U+2066 to U+2069), end lines (U+2028, U+2029) or have no width. U+200C and U+200D are allowed,
 * because some scripts need them. */
bool text_has_invisible(struct text text);

/* Replaces every byte of control and invisible characters with "?". A line thus cannot move a
 * terminal's cursor, begin another line or reverse text. The bytes need not be UTF-8. */
void text_replace_control(char *bytes, size_t length);

#endif
