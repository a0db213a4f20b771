/* Members who are connected to the cluster feed. The feed is not encrypted and asks for no
 * password, so a member sends a code. It only selects the log in which a spot must be new. */
#ifndef QSOSYNC_STORE_FEED_MEMBERS_H
#define QSOSYNC_STORE_FEED_MEMBERS_H

#include <stdint.h>

#include "base/text.h"
#include "database/result.h"

struct store;

#define FEED_CODE_LENGTH 16 /* hexadecimal digits */

struct feed_member {
    int64_t id;
    int64_t log_revision;       /* stamp of the last write to the member's log */
    int64_t password_set_at_ms; /* a new password replaces the code */
};

/* Writes the member's code, in upper case, with a NUL. Runs its own transaction, which creates the
 * secret of the code when it is first needed. */
enum store_result store_make_feed_code(struct store *store, int64_t member_id,
                                       char out[FEED_CODE_LENGTH + 1]);

/* Finds the active member with this callsign and code. STORE_NONE: no such member. */
enum store_result store_find_feed_member(struct store *store, struct text callsign,
                                         struct text code, struct feed_member *out);

/* Reads the member's revision again. STORE_NONE: the member is disabled or deleted, or has set
 * another password since. */
enum store_result store_renew_feed_member(struct store *store, struct feed_member *member);

#endif
