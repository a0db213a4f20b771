/* Converts letters of every alphabet to one case (Unicode, section 3.13). */
#ifndef QSOSYNC_BASE_LETTERS_H
#define QSOSYNC_BASE_LETTERS_H

#include "base/arena.h"
#include "base/text.h"

#define CALLSIGN_BYTES_MAX 80 /* A callsign has at most 20 code points of 4 bytes each. */

/* Writes the text in upper case and in composed form (NFC), so that texts that differ only in case
 * or composition become equal. Writes at most `space` bytes, in whole characters, and returns the
 * number of bytes. The text ends at the first byte that is not UTF-8. */
size_t letters_to_upper(struct text text, char *out, size_t space);

/* Writes a callsign in the spelling that is used for comparison: as letters_to_upper does, but
 * without spaces, hyphens and dots. */
size_t letters_of_callsign(struct text callsign, char *out, size_t space);

/* Returns the text in lower case, in the arena, with a NUL after the text. */
struct text letters_to_lower(struct text text, struct arena *arena);

#endif
