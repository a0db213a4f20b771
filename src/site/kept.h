/* Answers about a whole log that are kept until the log changes: what takes long to count is
 * counted once. Only for large logs; for others, counting costs less than a write. */
#ifndef QSOSYNC_SITE_KEPT_H
#define QSOSYNC_SITE_KEPT_H

#include <stdbool.h>

#include "store/kept_answers.h"
#include "worker/route.h"

/* To be called first. Appends to the answer what was kept of this kind, where it is about the log
 * as the exchange's snapshot has it. False: it has to be counted. A request with a query is never
 * about the whole log. */
bool kept_append(struct exchange *exchange, enum kept_kind kind);

/* After kept_append: whether what is counted now would be kept. */
bool kept_is_wanted(const struct exchange *exchange);

/* After kept_append: whether there is nothing of this kind that holds, and it would be kept. */
bool kept_lacks(struct exchange *exchange, enum kept_kind kind);

/* After kept_append: what was counted is to be kept, where anything of this log is. Copies it. */
void kept_note(struct exchange *exchange, enum kept_kind kind, struct text content);

/* After kept_append, of a very large log: what was kept of its counting, that holds still. The
 * content is valid until kept_release_counts, which has to be called then. */
bool kept_find_counts(struct exchange *exchange, struct kept_counts *out);
void kept_release_counts(struct exchange *exchange);

/* After kept_append: of a very large log, up to which synced_at it is worth to keep the counting.
 * What changes next is mostly after that. */
bool kept_choose_end(struct exchange *exchange, int64_t *until_ms);

/* What was counted up to there is to be kept. Copies it. */
void kept_note_counts(struct exchange *exchange, const struct kept_counts *counts);

/* When the response has gone, outside of any transaction: stores what was noted. Where that is not
 * possible at once it is left to a later request. */
void kept_store(const struct exchange *exchange);

#endif
