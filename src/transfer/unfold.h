/* Converts files in encodings such as UTF-16, in which ASCII characters are not single bytes. */
#ifndef QSOSYNC_TRANSFER_UNFOLD_H
#define QSOSYNC_TRANSFER_UNFOLD_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"

/* Returns the file as UTF-8, in the arena, if the file begins like UTF-16, or if `encoding` (can be
 * NULL) is UTF-16, UTF-32 or UCS. Returns any other file unchanged. *fails receives whether the
 * file is damaged, or this machine does not support the encoding. */
struct text survey_unfold(struct text file, const char *encoding, struct arena *arena, bool *fails);

#endif
