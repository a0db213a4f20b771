/* Converts files whose characters are not bytes, such as UTF-16. */
#ifndef QSOSYNC_TRANSFER_UNFOLD_H
#define QSOSYNC_TRANSFER_UNFOLD_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"

/* Returns a file in UTF-16, or in the given encoding of whole characters (NULL: none), as UTF-8 in
 * the arena. Returns any other file unchanged. *fails becomes true if the file is damaged, or if
 * this machine does not have the encoding. */
struct text survey_unfold(struct text file, const char *encoding, struct arena *arena, bool *fails);

#endif
