/* Finds QSOs that fail only one rule for a confirmation. */
#ifndef QSOSYNC_STORE_NEAR_MATCHES_H
#define QSOSYNC_STORE_NEAR_MATCHES_H

#include <stdint.h>

#include "base/text.h"
#include "database/result.h"
#include "qso/fields.h"
#include "qso/qso.h"

struct store;

/* A QSO that would be confirmed if it did not fail one rule. */
struct near_match {
    const struct qso *qso; /* valid during the call to the visitor */
    const char *rule;      /* name of the rule that fails */
    /* the only field that differs, with the other member's value, a number; FIELD_COUNT: several
     * fields, or a callsign */
    enum field_index field;
    struct value theirs;
};
typedef void near_match_visitor(void *context, const struct near_match *match);

/* Calls visit for at most `limit` of the member's newest QSOs that another member's QSO would
 * confirm if it did not fail one rule. The other member's QSO names this member as the station
 * worked, so the reported time, mode or channel belongs to a contact with this member. `callsign`
 * is the member's own callsign. */
enum store_result store_list_near_matches(struct store *store, int64_t member_id,
                                          struct text callsign, int64_t limit,
                                          near_match_visitor *visit, void *context);

#endif
