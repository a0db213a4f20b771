/* Members at the cluster feed, who identify by a code. The feed is not encrypted and asks for no
 * password, so the code does one thing alone: it says in whose log a spot is to be new. */
#ifndef QSOSYNC_STORE_FEED_MEMBERS_H
#define QSOSYNC_STORE_FEED_MEMBERS_H

#include <stdint.h>

#include "base/text.h"
#include "store/transaction.h"

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
