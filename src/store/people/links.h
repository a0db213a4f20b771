/* Stores and uses links. Each link signs a member in once:
 *
 *     store_add_link(store, member_id, kind, fingerprint, valid_ms)      when the link is created
 *     store_use_link(store, fingerprint, device, cookie, &outcome, &kind)
 *
 * The caller later erases the cookie and the link's secret from memory. */
#ifndef QSOSYNC_STORE_LINKS_H
#define QSOSYNC_STORE_LINKS_H

#include <stdint.h>

#include "base/api_key.h"
#include "base/text.h"
#include "store/people/sessions.h"

#define INVITATION_DAYS 7
#define INVITATION_DAYS_MAX 90
#define DEVICE_LINK_MS 600000

/* Stores a link, and revokes an unused link of the same kind. The caller has created the link's
 * secret, and shows the secret only once. Returns STORE_REFUSED if the member is disabled, deleted
 * or a station. Runs its own transaction. */
enum store_result store_add_link(struct store *store, int64_t member_id, enum sign_in_link kind,
                                 const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES],
                                 int64_t valid_ms);

/* Stores an invitation that replaces all earlier access: ends all sessions, revokes all links and
 * the app's keys, and removes the password and the passkeys. Other keys and tokens stay valid.
 * Returns STORE_REFUSED if the member is disabled, deleted or a station. Runs its own transaction.
 */
enum store_result store_invite_new(struct store *store, int64_t member_id,
                                   const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES],
                                   int64_t valid_ms);

/* The outcome of a link, as in schema/statements/sessions.sql. */
enum link_outcome {
    LINK_WORKED,
    LINK_UNKNOWN, /* the link does not exist, or its member is disabled or deleted */
    LINK_USED,
    LINK_EXPIRED,
    LINK_REPLACED,
};

/* A link, as its receiver sees it before using it. The texts are in the caller's arena. */
struct link_description {
    struct text callsign; /* callsign of the member whom the link signs in */
    struct text sender;   /* callsign of the operator who sent the invitation; no text: unknown */
    enum sign_in_link kind;
    enum link_outcome outcome;
    int64_t expires_at_ms;
};

/* Describes a link without using it. An unknown link has the outcome LINK_UNKNOWN and no other
 * values. Returns STORE_DONE for every outcome. */
enum store_result store_describe_link(struct store *store, struct arena *arena,
                                      const unsigned char link[API_KEY_FINGERPRINT_BYTES],
                                      int64_t now_ms, struct link_description *out);

/* Uses up a link, and opens a session. Fills the cookie only if the outcome is LINK_WORKED. Sets
 * *kind unless the outcome is LINK_UNKNOWN. If two browsers use the link at the same time, only one
 * is signed in. The function takes the same time for all links that do not work. Runs its own
 * transaction, and returns STORE_DONE for every outcome. */
enum store_result store_use_link(struct store *store,
                                 const unsigned char link[API_KEY_FINGERPRINT_BYTES],
                                 struct text device, char cookie[SESSION_COOKIE_SIZE],
                                 enum link_outcome *outcome, enum sign_in_link *kind);

#endif
