/* A log as its owner looks at it: searched, counted, on a map. Only reads. */
#ifndef QSOSYNC_STORE_LOG_H
#define QSOSYNC_STORE_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "store/members.h"
#include "store/qsos.h"

struct log_search {
    struct text callsign;   /* how the callsign worked begins, in any spelling; no text: any */
    int64_t from_ms, to_ms; /* of qsoAt, both included */
    int64_t before_ms, before_id; /* only QSOs before this one in the list */
};

/* Calls visit for at most `limit` QSOs of the member, newest first, inside a read transaction. The
 * QSO's texts are valid during the call. */
enum store_result store_search_log(struct store *store, int64_t member_id,
                                   const struct log_search *search, int64_t limit,
                                   qso_visitor *visit, void *context);

/* Calls visit for the member's newest QSOs, in the order in which they were stored, with the fields
 * of a map alone (FIELD_MAPPED). */
enum store_result store_list_map_points(struct store *store, int64_t member_id, int64_t limit,
                                        qso_visitor *visit, void *context);

/* What the numbers of a log are made of. */
struct qso_time {
    int64_t slot_ms;    /* begin of the two hours in which it was, all of which are in one month */
    struct text worked; /* the callsign in the form that is compared; no text: none */
    bool confirmed;
};

typedef void qso_time_visitor(void *context, const struct qso_time *time);

/* Calls visit for every QSO of the member, oldest two hours first. The text is valid during the
 * call, which must not use the store. */
enum store_result store_list_times(struct store *store, int64_t member_id, qso_time_visitor *visit,
                                   void *context);

typedef void near_match_visitor(void *context, const struct qso *qso, const char *rule);

/* Calls visit for at most `limit` of the member's newest QSOs that another member's would confirm
 * but for one rule, with the rule's name. */
enum store_result store_list_near_matches(struct store *store, const struct member *member,
                                          int64_t limit, near_match_visitor *visit, void *context);

/* -- For other files of the store -------------------------------------------------------------- */

/* Adds the SQL function that visit_qso_times calls, to be done before statements are prepared. */
enum store_result log_add_function(struct store *store);

#endif
