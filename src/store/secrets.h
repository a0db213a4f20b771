/* The secret of a member, of which two things are made: names for QSOs that come without a
 * clientId, and the code at the cluster feed. */
#ifndef QSOSYNC_STORE_SECRETS_H
#define QSOSYNC_STORE_SECRETS_H

#include <stdint.h>

#include "base/text.h"
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

/* -- Members at the cluster feed --------------------------------------------------------------- */

/* They identify by a code. The feed is not encrypted and asks for no password, so the code does one
 * thing alone: it says in whose log a spot is to be new. */
#define FEED_CODE_LENGTH 16 /* hexadecimal digits */

struct feed_member {
    int64_t id;
    int64_t log_revision;       /* stamp of the last write to the member's log */
    int64_t password_set_at_ms; /* with another password comes another code */
};

/* The member's code, in upper case, with a NUL. Runs its own transaction, because it makes the
 * secret that the code comes from, if there is none yet. */
enum store_result store_make_feed_code(struct store *store, int64_t member_id,
                                       char out[FEED_CODE_LENGTH + 1]);

/* The active member with this callsign and this code. STORE_NONE: there is none. */
enum store_result store_find_feed_member(struct store *store, struct text callsign,
                                         struct text code, struct feed_member *out);

/* Brings the revision up to date. STORE_NONE: the member is disabled or deleted, or has set another
 * password since. */
enum store_result store_renew_feed_member(struct store *store, struct feed_member *member);

#endif
