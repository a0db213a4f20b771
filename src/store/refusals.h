/* What was refused: to each key last, for its owner; and how often by which code, for the operator.
 */
#ifndef QSOSYNC_STORE_REFUSALS_H
#define QSOSYNC_STORE_REFUSALS_H

#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "database/result.h"

struct store;
struct rejection;

/* What was refused to a key last. */
struct refusal {
    int64_t refused_at_ms;
    struct text code;  /* an error's code, or that or the sentence of a rejected entry */
    struct text field; /* no text: none */
    int64_t entries;   /* rejected entries of the batch; 1 for a whole request */
};

/* Notes it, if that can be done without waiting. Not to be called inside a transaction. */
void store_note_key_refusal(struct store *store, int64_t key_number, const struct refusal *refusal);

/* STORE_NONE: nothing was refused to the key. The texts live in the arena. */
enum store_result store_find_key_refusal(struct store *store, struct arena *arena,
                                         int64_t key_number, struct refusal *out);

/* Calls visit for what was refused to keys last, latest first, at most `limit` times; the texts are
 * valid during the call. */
enum store_result store_list_key_refusals(struct store *store, int64_t limit,
                                          void (*visit)(void *context, struct text callsign,
                                                        struct text key_name,
                                                        const struct refusal *refusal),
                                          void *context);

/* Counts an entry of a batch that was rejected, over all workers together. Waits for nobody; if
 * it cannot be counted it is not. */
void store_count_rejection(struct store *store, const struct rejection *rejection);

/* Calls visit for each code of the table of rejections with how many entries it was the answer to,
 * and last, with the code NULL, for all entries that were rejected by a sentence. */
void store_list_rejection_counts(const struct store *store,
                                 void (*visit)(void *context, const char *code, int64_t count),
                                 void *context);

#endif
