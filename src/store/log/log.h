/* Reads a log as its owner sees it: the QSOs, newest first, the map, and the counts. */
#ifndef QSOSYNC_STORE_LOG_H
#define QSOSYNC_STORE_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "qso/match_callsign.h"
#include "store/log/qsos.h"

/* The QSOs that a walk visits, and the fields that it reads. */
struct log_walk {
    int64_t from_ms, to_ms; /* range of qsoAt; QSOs outside the range can be visited as well */
    /* whether all fields are read; otherwise only fields with FIELD_FILTERED */
    bool with_texts;
    /* whether the order does not matter, which is faster for callers that only count */
    bool in_any_order;
    /* Filters for the index, so that fewer rows are read. QSOs that do not match can be visited as
     * well. */
    bool asks_confirmed, confirmed;
    int division;                   /* division of the station worked; 0: any */
    struct match_callsign callsign; /* beginning of the callsign worked; empty: any callsign */
};

/* Receives a QSO, whose texts are valid during the call. Returns false to stop the walk. */
typedef bool log_visitor(void *context, const struct qso *qso);

/* Calls visit for the member's QSOs, newest first by slots of two hours (match_slot). The order
 * within a slot is undefined; if in_any_order is set, so is the whole order. visit must not use
 * the store. */
enum store_result store_walk_log(struct store *store, int64_t member_id,
                                 const struct log_walk *walk, log_visitor *visit, void *context);

/* Calls visit for all the member's QSOs, in any order. Only the fields with FIELD_COUNTED are read.
 * visit must not use the store. */
enum store_result store_count_whole_log(struct store *store, int64_t member_id, qso_visitor *visit,
                                        void *context);

/* Calls visit for at most `limit` of the member's newest QSOs, in the order in which they were
 * stored. Only the fields for a map (FIELD_MAPPED) are read. */
enum store_result store_list_map_points(struct store *store, int64_t member_id, int64_t limit,
                                        qso_visitor *visit, void *context);

/* Counts of a member's QSOs: all QSOs, and the QSOs since the beginning of a day, a month and a
 * year (UTC). */
struct log_counts {
    int64_t qsos, of_day, of_month, of_year;
};

/* Counts the member's QSOs: all QSOs, and the QSOs since the beginning of the day, month and year
 * (UTC) that contain now_ms. The caller has begun a read transaction. */
enum store_result store_count_log(struct store *store, int64_t member_id, int64_t now_ms,
                                  struct log_counts *out);

#endif
