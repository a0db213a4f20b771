/* The cursor of GET /logs: an opaque text with the position of the last item on a page. */
#ifndef QSOSYNC_QSO_CURSOR_H
#define QSOSYNC_QSO_CURSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

#define CURSOR_LENGTH 40 /* 32 digits of the position, and 8 digits of the hash */

/* Writes CURSOR_LENGTH characters that need no encoding in a query string, without a NUL. */
void cursor_format(int64_t synced_at_ms, int64_t id, char *out);

/* Reads a text that cursor_format has written. Returns false for any other text. The last
 * characters are a checksum, so a damaged cursor is detected and never skips QSOs. */
bool cursor_parse(struct text text, int64_t *synced_at_ms, int64_t *id);

#endif
