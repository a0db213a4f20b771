/* Folds texts for searches: removes case and accents. */
#ifndef QSOSYNC_QSO_FOLD_H
#define QSOSYNC_QSO_FOLD_H

#include <stdbool.h>

#include "base/buffer.h"
#include "base/text.h"

/* Replaces the buffer's content with the folded text: canonical decomposition with full case
 * folding (Unicode, sections 3.11 and 5.18), without combining marks. Thus "zürich" and "ZURICH"
 * become equal, even if the "ü" is a "u" with a combining mark. The folded text ends at the first
 * byte that is not UTF-8. */
void fold_text(struct text text, struct buffer *out);

/* Returns whether the folded text contains `part`, which must also be folded. */
bool fold_holds(const struct buffer *folded, struct text part);

#endif
