/* Stores the last refusal of each key. */
#ifndef QSOSYNC_STORE_KEY_REFUSALS_H
#define QSOSYNC_STORE_KEY_REFUSALS_H

#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "database/result.h"

struct store;

/* The last refusal of a key. */
struct refusal {
    int64_t refused_at_ms;
    struct text code;  /* code of an error, or the code or sentence of a rejected entry */
    struct text field; /* field that was rejected; no text: none */
    int64_t entries;   /* number of rejected entries in the batch; 1 for a whole request */
};

/* Records the refusal, unless another writer is active. Do not call this function inside a
 * transaction. */
void store_record_key_refusal(struct store *store, int64_t key_number,
                              const struct refusal *refusal);

/* Finds the last refusal of a key. The texts are in the arena. Returns STORE_NONE if no request
 * with the key was refused. */
enum store_result store_find_key_refusal(struct store *store, struct arena *arena,
                                         int64_t key_number, struct refusal *out);

/* Calls visit for at most `limit` keys with their last refusals, latest refusal first. The texts
 * are valid during the call to visit. */
enum store_result store_list_key_refusals(struct store *store, int64_t limit,
                                          void (*visit)(void *context, struct text callsign,
                                                        struct text key_name,
                                                        const struct refusal *refusal),
                                          void *context);

#endif
