/* Texts of ADIF files in the encodings that occur. */
#ifndef QSOSYNC_ADIF_ENCODING_H
#define QSOSYNC_ADIF_ENCODING_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/text.h"

/* The text as UTF-8: itself if it is well formed, otherwise a copy in the arena in which every byte
 * that is not part of a UTF-8 character is read as Windows-1252 (whose printable characters include
 * those of ISO 8859-1). */
struct text encoding_to_utf8(struct text text, struct arena *arena);

/* Appends the text with everything but printable ASCII, with % and < as %XX. */
void encoding_percent_encode(struct text text, struct buffer *buffer);

/* True if every byte is below 0x80. */
bool encoding_is_ascii(struct text text);

#endif
