/* Links that sign a member in, once each:
 *
 *     store_add_link(store, member_id, kind, fingerprint, valid_ms)      when the link is created
 *     store_use_link(store, fingerprint, device, cookie, &outcome, &kind)
 *
 * The caller wipes the cookie and the secret of the link. */
#ifndef QSOSYNC_STORE_LINKS_H
#define QSOSYNC_STORE_LINKS_H

#include <stdint.h>

#include "base/api_key.h"
#include "base/text.h"
#include "store/people/sessions.h"

#define INVITATION_DAYS 7
#define INVITATION_DAYS_MAX 90
#define DEVICE_LINK_MS 600000

/* Stores a link, and revokes an unused link of the same kind. The caller has created its secret and
 * shows it once. STORE_REFUSED: the member is disabled or deleted. Runs its own transaction. */
enum store_result store_add_link(struct store *store, int64_t member_id, enum sign_in_link kind,
                                 const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES],
                                 int64_t valid_ms);

/* Stores an invitation that replaces all earlier access: ends all sessions, revokes all links, and
 * removes the password and the passkeys. Keys and tokens stay. STORE_REFUSED: the member is
 * disabled or deleted. Runs its own transaction. */
enum store_result store_invite_new(struct store *store, int64_t member_id,
                                   const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES],
                                   int64_t valid_ms);

/* The outcome of a link, as in schema/statements/sessions.sql. */
enum link_outcome {
    LINK_WORKED,
    LINK_UNKNOWN, /* or its member is disabled or deleted */
    LINK_USED,
    LINK_EXPIRED,
    LINK_REPLACED,
};

/* Uses a link up and opens a session. Fills the cookie only for LINK_WORKED, and *kind except for
 * LINK_UNKNOWN. If two browsers use the link at once, only one is signed in. All links that do not
 * work take the same time. Runs its own transaction, and returns STORE_DONE for every outcome. */
enum store_result store_use_link(struct store *store,
                                 const unsigned char link[API_KEY_FINGERPRINT_BYTES],
                                 struct text device, char cookie[SESSION_COOKIE_SIZE],
                                 enum link_outcome *outcome, enum sign_in_link *kind);

#endif
