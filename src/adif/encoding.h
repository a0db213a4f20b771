/* The encodings of texts in ADIF files. A file should be in UTF-8, but old logging programs write
 * their machine's code page. Some files contain both, so each value is examined separately. */
#ifndef QSOSYNC_ADIF_ENCODING_H
#define QSOSYNC_ADIF_ENCODING_H

#include <stdbool.h>

#include "adif/record.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/text.h"

/* The encodings that are tried if a file does not specify its encoding. */
#define ENCODING_CANDIDATES 6
extern const char *const encoding_candidates[ENCODING_CANDIDATES];

struct encoding;

/* Opens the encoding with this name, in the arena. The caller must close the encoding. Returns NULL
 * if the name is empty or contains a slash, or if this machine does not support the encoding. The
 * names of ISO-8859-1 and ASCII mean Windows-1252, as in browsers. */
struct encoding *encoding_open(const char *name, struct arena *arena);
void encoding_close(struct encoding *encoding);

/* Converts the text to UTF-8, in the arena. Returns false if the text is not valid in this
 * encoding. */
bool encoding_convert(struct encoding *encoding, struct text text, struct arena *arena,
                      struct text *out);

/* Converts a value to UTF-8. Returns false in the same cases as encoding_convert. Also returns
 * false if the result contains control characters other than tabs and line ends, or box-drawing or
 * block characters. */
bool encoding_read(struct encoding *encoding, struct text text, struct arena *arena,
                   struct text *out);

/* Returns the text in UTF-8. Bytes that are not part of a UTF-8 character are read as Windows-1252,
 * which includes the printable characters of ISO 8859-1. Well-formed text is returned unchanged;
 * any other result is in the arena. */
struct text encoding_read_windows_1252(struct text text, struct arena *arena);

/* Returns UTF-16LE or UTF-16BE if the file begins like a text in this encoding, with or without a
 * byte order mark. Returns NULL for any other file. */
const char *encoding_find_utf16(struct text file);

/* Converts the record's values that are not valid UTF-8 from `encoding` to UTF-8. A value that
 * encoding_read rejects becomes empty, and its field receives a notice. If `encoding` is NULL,
 * these values are read as Windows-1252, and each of their fields receives a notice. */
void encoding_read_record(struct encoding *encoding, struct record *record, struct arena *arena);

/* Appends the percent-encoded text: %, < and all bytes that are not printable ASCII become %XX. */
void encoding_percent_encode(struct text text, struct buffer *buffer);

/* Returns whether every byte is less than 0x80. */
bool encoding_is_ascii(struct text text);

/* Moves the buffer's text to the arena and frees the buffer. Returns no text if the buffer is
 * empty. */
struct text encoding_take(struct buffer *buffer, struct arena *arena);

#endif
