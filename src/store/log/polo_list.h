/* Lists the records that PoLo receives, and the records that are not in the log. */
#ifndef QSOSYNC_STORE_POLO_LIST_H
#define QSOSYNC_STORE_POLO_LIST_H

#include <stdint.h>

#include "base/buffer.h"
#include "base/text.h"
#include "store/log/polo_request.h"

struct store;

/* A list of records for a phone. */
struct polo_giving {
    int64_t member_id;
    struct text callsign;  /* callsign of the member */
    struct text operation; /* UUID of the operation that contains the QSOs not logged with PoLo */
    enum polo_kind kind;
    const struct polo_query *query;
    int64_t limit; /* maximum number of records, in place of the query's limit */
    struct text phone;
    int64_t own_ms, now_ms;
};

/* Appends the requested records to a JSON array, in the order of their stamps, inside a read
 * transaction. Omits the phone's own records, unless the phone requests them. Always omits the
 * phone's own records with a stamp of own_ms or later. Sets *left to the number of records beyond
 * the limit. The phone's cursor is a stamp, so the limit never separates records with equal
 * stamps. */
enum store_result store_polo_list_changes(struct store *store, const struct polo_giving *giving,
                                          struct buffer *out, int64_t *left);

/* The counts of operations that PoLo sent, of QSOs that only PoLo has, and of all QSOs in the
 * member's log. */
struct polo_counts {
    int64_t operations, kept, qsos;
};
enum store_result store_polo_count(struct store *store, int64_t member_id, struct polo_counts *out);

/* Calls visit for each reason why QSOs are kept only for PoLo, with the number of records that have
 * this reason. The text is valid during the call to visit. */
enum store_result store_polo_list_reasons(struct store *store, int64_t member_id,
                                          void (*visit)(void *context, struct text reason,
                                                        int64_t records),
                                          void *context);

#endif
