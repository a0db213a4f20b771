/* Files whose characters are not bytes, such as UTF-16. */
#ifndef QSOSYNC_TRANSFER_UNFOLD_H
#define QSOSYNC_TRANSFER_UNFOLD_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"

/* The file as UTF-8, in the arena, if it is in UTF-16, or in the given encoding of whole characters
 * (NULL: none); otherwise the file. *fails: it is damaged, or this machine does not have the
 * encoding. */
struct text survey_unfold(struct text file, const char *encoding, struct arena *arena, bool *fails);

#endif
