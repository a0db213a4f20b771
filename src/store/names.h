/* The secret that names QSOs of a member which come without a clientId. */
#ifndef QSOSYNC_STORE_NAMES_H
#define QSOSYNC_STORE_NAMES_H

#include <stdint.h>

#include "database/result.h"
#include "qso/qso.h"
#include "store/credentials.h"
#include "store/transaction.h"

/* The member's secret, a namespace for the UUIDs of QSOs that come without a clientId, inside a
 * transaction. STORE_NONE: it was not made yet. */
enum store_result store_find_client_id_secret(struct store *store, int64_t member_id,
                                              unsigned char out[16]);

/* Makes it, if there is none, inside the open write transaction. */
enum store_result store_make_client_id_secret(struct store *store, int64_t member_id,
                                              unsigned char out[16]);

/* Calls visit for the clientIds that are names (version 5) of the member's QSOs that are the same
 * contact as this one by station, callsign worked, band and minute, oldest first, inside a
 * transaction. The call must not use the store. */
enum store_result
store_list_named_contacts(struct store *store, const struct identity *member, const struct qso *qso,
                          void (*visit)(void *context, const unsigned char *client_id),
                          void *context);

#endif
