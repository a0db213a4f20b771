/* Finds QSOs that fail only one rule for a confirmation. */
#ifndef QSOSYNC_STORE_NEAR_MATCHES_H
#define QSOSYNC_STORE_NEAR_MATCHES_H

#include <stdint.h>

#include "base/text.h"
#include "database/result.h"
#include "qso/qso.h"

struct store;

/* Receives a QSO, which is valid during the call, and the name of the rule that fails. */
typedef void near_match_visitor(void *context, const struct qso *qso, const char *rule);

/* Calls visit for at most `limit` of the member's newest QSOs that another member's QSO would
 * confirm if it did not fail one rule. `callsign` is the member's own callsign. */
enum store_result store_list_near_matches(struct store *store, int64_t member_id,
                                          struct text callsign, int64_t limit,
                                          near_match_visitor *visit, void *context);

#endif
