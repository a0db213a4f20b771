/* Converts files in which a character is not a single byte, such as UTF-16. */
#ifndef QSOSYNC_TRANSFER_UNFOLD_H
#define QSOSYNC_TRANSFER_UNFOLD_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"

/* Returns the file as UTF-8, in the arena, if it is in UTF-16 or in the given encoding (NULL: no
 * encoding). Returns any other file unchanged. *fails becomes true if the file is damaged, or if
 * this machine does not support the encoding. */
struct text survey_unfold(struct text file, const char *encoding, struct arena *arena, bool *fails);

#endif
