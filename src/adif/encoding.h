/* The encodings of texts in ADIF files. A file should be in UTF-8; old logging programs write the
 * code page of their machine, and some files mix both, so each value is looked at alone. */
#ifndef QSOSYNC_ADIF_ENCODING_H
#define QSOSYNC_ADIF_ENCODING_H

#include <stdbool.h>
#include <stddef.h>

#include "adif/record.h"
#include "base/arena.h"
#include "base/text.h"

/* Those that a file may have if it does not say its own. */
#define ENCODING_CANDIDATES 6
extern const char *const encoding_candidates[ENCODING_CANDIDATES];

struct encoding;

/* The encoding with this name, or NULL: this machine does not have it. It lives in the arena, and
 * has to be closed. ISO-8859-1 is Windows-1252, as in browsers. */
struct encoding *encoding_open(const char *name, struct arena *arena);
void encoding_close(struct encoding *encoding);

/* As it was opened, in upper case. */
const char *encoding_name(const struct encoding *encoding);

/* The text in UTF-8, in the arena; false: it is not in this encoding. */
bool encoding_convert(struct encoding *encoding, struct text text, struct arena *arena,
                      struct text *out);

/* The same of a value, which is not in the encoding either if it would have control characters or
 * parts of frames. */
bool encoding_read(struct encoding *encoding, struct text text, struct arena *arena,
                   struct text *out);

/* The text in UTF-8: every byte that is not part of a UTF-8 character is read as Windows-1252
 * (whose printable characters include those of ISO 8859-1). Itself if it is well formed, otherwise
 * in the arena. */
struct text encoding_read_windows_1252(struct text text, struct arena *arena);

/* Which form of UTF-16 a file has, with or without a byte order mark; NULL: it is not UTF-16. */
const char *encoding_find_utf16(struct text file);

/* Makes UTF-8 of the values of a record that are not, by the encoding (NULL: Windows-1252). Their
 * fields say so; one that does not fit is empty afterwards. */
void encoding_read_record(struct encoding *encoding, struct record *record, struct arena *arena);

#endif
