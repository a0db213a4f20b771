/* Folds texts for searches: letters without case and without accents. */
#ifndef QSOSYNC_QSO_FOLD_H
#define QSOSYNC_QSO_FOLD_H

#include <stdbool.h>

#include "base/buffer.h"
#include "base/text.h"

/* Replaces the buffer's content with the folded text: canonical decomposition with full case
 * folding (Unicode, sections 3.11 and 5.18), without combining marks. Thus "zürich" and "ZURICH"
 * are equal, whether the letter is composed or not. The text ends at the first byte that is not
 * UTF-8. */
void fold_text(struct text text, struct buffer *out);

/* Returns whether the folded text contains the folded part. */
bool fold_holds(const struct buffer *folded, struct text part);

#endif
