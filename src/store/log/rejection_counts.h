/* Counts rejected entries, for all workers together. */
#ifndef QSOSYNC_STORE_REJECTION_COUNTS_H
#define QSOSYNC_STORE_REJECTION_COUNTS_H

#include <stdint.h>

struct rejection;
struct store;

/* Counts a rejected entry of a batch, without waiting. An entry that cannot be counted is ignored.
 */
void store_count_rejection(struct store *store, const struct rejection *rejection);

/* Calls visit for each code in the table of rejections, with the number of entries rejected with
 * this code. The last call has the code NULL, and the number of entries rejected with a sentence.
 */
void store_list_rejection_counts(const struct store *store,
                                 void (*visit)(void *context, const char *code, int64_t count),
                                 void *context);

#endif
