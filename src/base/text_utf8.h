/* UTF-8: well-formed text, its characters and their code points. */
#ifndef QSOSYNC_BASE_TEXT_UTF8_H
#define QSOSYNC_BASE_TEXT_UTF8_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* Returns whether the bytes are well-formed UTF-8 (RFC 3629), without overlong forms, surrogates or
 * code points above U+10FFFF. */
bool text_is_utf8(const char *bytes, size_t length);

/* Returns the length in bytes of the first character of a non-empty text, or 0 if the character is
 * malformed. */
size_t text_first_length(struct text text);

/* Writes a code point up to U+FFFF as UTF-8. Returns the number of bytes, at most three. */
size_t text_put_code_point(unsigned code, char *out);

/* Returns the code point of a byte in Windows-1252, or 0 if no character has this byte. */
unsigned text_from_windows_1252(unsigned char byte);

/* Counts the Unicode code points of well-formed UTF-8. */
size_t text_count_code_points(struct text text);

#endif
