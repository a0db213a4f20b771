/* The encodings of texts in ADIF files. A file should be in UTF-8, but old logging programs write
 * the code page of their machine. Some files mix both, so each value is examined separately. */
#ifndef QSOSYNC_ADIF_ENCODING_H
#define QSOSYNC_ADIF_ENCODING_H

#include <stdbool.h>

#include "adif/record.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/text.h"

/* The encodings that are tried if a file does not name its encoding. */
#define ENCODING_CANDIDATES 6
extern const char *const encoding_candidates[ENCODING_CANDIDATES];

struct encoding;

/* Opens the encoding with this name, in the arena. The caller must close it. Returns NULL if this
 * machine does not have the encoding. ISO-8859-1 is Windows-1252, as in browsers. */
struct encoding *encoding_open(const char *name, struct arena *arena);
void encoding_close(struct encoding *encoding);

/* Converts the text to UTF-8, in the arena. Returns false if the text is not in this encoding. */
bool encoding_convert(struct encoding *encoding, struct text text, struct arena *arena,
                      struct text *out);

/* Converts a value to UTF-8. Returns false as encoding_convert does, and if the value contains
 * control characters or box-drawing characters. */
bool encoding_read(struct encoding *encoding, struct text text, struct arena *arena,
                   struct text *out);

/* Returns the text in UTF-8. Bytes that are not part of a UTF-8 character are read as Windows-1252,
 * which includes the printable characters of ISO 8859-1. Well-formed text is returned unchanged,
 * other text in the arena. */
struct text encoding_read_windows_1252(struct text text, struct arena *arena);

/* Returns the name of a file's form of UTF-16, with or without a byte order mark; NULL: not UTF-16.
 */
const char *encoding_find_utf16(struct text file);

/* Converts the values of a record that are not UTF-8 from the encoding (NULL: Windows-1252), and
 * adds a notice to their fields. A value that is not in the encoding becomes empty. */
void encoding_read_record(struct encoding *encoding, struct record *record, struct arena *arena);

/* Appends the text with %XX for % and <, and for bytes other than printable ASCII. */
void encoding_percent_encode(struct text text, struct buffer *buffer);

/* Returns whether every byte is below 0x80. */
bool encoding_is_ascii(struct text text);

/* Returns the buffer's text in the arena, no text if it is empty, and frees the buffer. */
struct text encoding_take(struct buffer *buffer, struct arena *arena);

#endif
