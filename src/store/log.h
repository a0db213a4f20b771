/* A log as its owner looks at it: searched, counted, on a map. Only reads. */
#ifndef QSOSYNC_STORE_LOG_H
#define QSOSYNC_STORE_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "qso/match.h"
#include "store/members.h"
#include "store/qsos.h"

/* Which QSOs are walked over, and what they bring. */
struct log_walk {
    int64_t from_ms, to_ms; /* of qsoAt: those of other days may come, too */
    bool with_texts;        /* all fields; otherwise those that are FIELD_FILTERED */
    bool in_any_order;      /* quicker, for what only counts */
    /* What the index tells, so that fewer rows are read; of it QSOs that do not fit may come, too.
     */
    bool asks_confirmed, confirmed;
    int division;                   /* 0: any */
    struct match_callsign callsign; /* how the callsign worked begins; empty: any */
};

/* False: no more are wanted. */
typedef bool log_visitor(void *context, const struct qso *qso);

/* Calls visit for the member's QSOs, newest first as far as they lie in different units of two
 * hours (match_slot); those of one unit, or all if the walk says so, come in any order. The
 * QSO's texts are valid during the call, which must not use the store. */
enum store_result store_walk_log(struct store *store, int64_t member_id,
                                 const struct log_walk *walk, log_visitor *visit, void *context);

/* The member's QSO of this id; its texts are in the arena. STORE_NONE: there is none. */
enum store_result store_find_own_qso(struct store *store, int64_t member_id, int64_t id,
                                     struct arena *arena, struct qso *out);

/* Calls visit for the member's newest QSOs, in the order in which they were stored, with the fields
 * of a map alone (FIELD_MAPPED). */
enum store_result store_list_map_points(struct store *store, int64_t member_id, int64_t limit,
                                        qso_visitor *visit, void *context);

typedef void near_match_visitor(void *context, const struct qso *qso, const char *rule);

/* Calls visit for at most `limit` of the member's newest QSOs that another member's would confirm
 * but for one rule, with the rule's name. */
enum store_result store_list_near_matches(struct store *store, const struct member *member,
                                          int64_t limit, near_match_visitor *visit, void *context);

/* How many QSOs the member has, all and since the beginning of now_ms's day, month and year (UTC),
 * inside a read transaction. */
struct log_counts {
    int64_t qsos, of_day, of_month, of_year;
};
enum store_result store_count_log(struct store *store, int64_t member_id, int64_t now_ms,
                                  struct log_counts *out);

#endif
