/* The owner's view of a log: its QSOs, newest first, its map, and its counts. */
#ifndef QSOSYNC_STORE_LOG_H
#define QSOSYNC_STORE_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "qso/match_callsign.h"
#include "store/log/qsos.h"

/* The QSOs that a walk visits, and their fields. */
struct log_walk {
    int64_t from_ms, to_ms; /* range of qsoAt: QSOs of other days may come, too */
    bool with_texts;        /* all fields; otherwise those that are FIELD_FILTERED */
    bool in_any_order;      /* faster, for callers that only count */
    /* Filters of the index, so that fewer rows are read; QSOs that do not match may come, too. */
    bool asks_confirmed, confirmed;
    int division;                   /* 0: any */
    struct match_callsign callsign; /* how the callsign worked begins; empty: any */
};

/* False: stop. */
typedef bool log_visitor(void *context, const struct qso *qso);

/* Calls visit for the member's QSOs, newest first by units of two hours (match_slot). QSOs of one
 * unit, or all if the walk allows it, come in any order. The QSO's texts are valid during the call,
 * which must not use the store. */
enum store_result store_walk_log(struct store *store, int64_t member_id,
                                 const struct log_walk *walk, log_visitor *visit, void *context);

/* Calls visit for the member's newest QSOs, in the order in which they were stored, with the fields
 * of a map alone (FIELD_MAPPED). */
enum store_result store_list_map_points(struct store *store, int64_t member_id, int64_t limit,
                                        qso_visitor *visit, void *context);

/* How many QSOs the member has, all and since the beginning of now_ms's day, month and year (UTC),
 * inside a read transaction. */
struct log_counts {
    int64_t qsos, of_day, of_month, of_year;
};
enum store_result store_count_log(struct store *store, int64_t member_id, int64_t now_ms,
                                  struct log_counts *out);

#endif
