/* Identifies members who are connected to the cluster feed. The feed is not encrypted, so a member
 * sends a code instead of a password. The code only selects the log from which the feed determines
 * the spots that the member needs. */
#ifndef QSOSYNC_STORE_FEED_MEMBERS_H
#define QSOSYNC_STORE_FEED_MEMBERS_H

#include <stdint.h>

#include "base/text.h"
#include "database/result.h"

struct store;

#define FEED_CODE_LENGTH 16 /* number of hexadecimal digits */

struct feed_member {
    int64_t id;
    int64_t log_revision; /* stamp of the last write to the member's log */
    /* time at which the password was set; a new password replaces the code */
    int64_t password_set_at_ms;
};

/* Writes the member's code, in upper case and with a final NUL. Runs its own transaction, which
 * creates the code's secret when it is first needed. */
enum store_result store_make_feed_code(struct store *store, int64_t member_id,
                                       char out[FEED_CODE_LENGTH + 1]);

/* Finds the active member with this callsign and code. Returns STORE_NONE if no active member has
 * both. */
enum store_result store_find_feed_member(struct store *store, struct text callsign,
                                         struct text code, struct feed_member *out);

/* Reads the member's revision again. Returns STORE_NONE if the member was disabled or deleted, or
 * has set another password since. */
enum store_result store_renew_feed_member(struct store *store, struct feed_member *member);

#endif
