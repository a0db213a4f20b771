/* Converts hexadecimal digits, and percent-encoded text. */
#ifndef QSOSYNC_BASE_TEXT_HEX_H
#define QSOSYNC_BASE_TEXT_HEX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* Decodes %XX (RFC 3986, section 2.1) from text to `out`, which has space for text.length bytes. A
 * plus sign is not changed. Returns false, with `out` partly written, for a % that is not followed
 * by two hexadecimal digits. */
bool text_percent_decode(struct text text, char *out, size_t *out_length);

/* Decodes pairs of hexadecimal digits to `out`, which has space for half as many bytes. Returns
 * false, with `out` partly written, for anything else. */
bool text_parse_hex(struct text text, void *out);

/* Writes each byte as two lower-case hexadecimal digits, without a NUL at the end. */
void text_format_hex(const void *bytes, size_t length, char *out);

#endif
