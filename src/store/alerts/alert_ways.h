/* Stores the ways by which alerts reach a member: the push services of browsers, and web
 * addresses. */
#ifndef QSOSYNC_STORE_ALERT_WAYS_H
#define QSOSYNC_STORE_ALERT_WAYS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/es256_key.h"
#include "base/text.h"
#include "database/result.h"
#include "store/alerts/alert_limits.h"

struct store;

/* These numbers are stored, so they never change. */
enum alert_way_kind { ALERT_PUSH, ALERT_WEB, ALERT_WAY_KINDS };

/* The format of a body, in which values are escaped. */
enum alert_format { ALERT_TEXT, ALERT_JSON, ALERT_FORM, ALERT_FORMATS };

#define ALERT_SECRET_BYTES 16

struct alert_way {
    int64_t id; /* 0: a new way */
    int64_t kind;
    struct text name;    /* name for the member's list */
    struct text address; /* starts with https:// */
    /* for a browser: its public key, its secret, and the session in which it subscribed (0: none).
     * The subscription ends with the session. Lists leave the point and the secret empty */
    struct text point, secret;
    int64_t session_id;
    /* for a web address: the request. The headers, one per line, and the body can contain values in
     * braces (src/alerts/template.h) */
    bool is_put;
    int64_t format;
    struct text headers, body;
    bool is_on;
    int64_t created_at_ms, sent_at_ms, failed_at_ms; /* 0: never */
    int64_t failure;                                 /* HTTP status, or a negative error number */
    bool has_ended; /* whether the address no longer exists, so that nothing is sent to it */
};
typedef void alert_way_visitor(void *context, const struct alert_way *way);

/* Returns the name of the first member whose value is not valid, or NULL. A web address must use
 * https, and its host must not be on this machine or in a private network, judging by its name. */
const char *alert_find_invalid_way(const struct alert_way *way);

/* Calls visit for each of the member's ways, in the order in which they were added. The texts are
 * valid during the call. */
enum store_result store_list_alert_ways(struct store *store, int64_t member_id,
                                        alert_way_visitor *visit, void *context);

/* Adds the way if its id is 0, and otherwise replaces the member's way with this id, and clears its
 * has_ended. A browser that subscribes again replaces its earlier way, even that of another member.
 * *id receives the way's id. Returns STORE_NONE if the member has no such way, and STORE_REFUSED if
 * the member already has ALERT_WAYS_MAX ways. The caller has checked the way. Runs its own
 * transaction. */
enum store_result store_save_alert_way(struct store *store, int64_t member_id,
                                       const struct alert_way *way, int64_t *id);

/* Switches a way on or off. Returns STORE_NONE if the member has no such way. Runs its own
 * transaction. */
enum store_result store_switch_alert_way(struct store *store, int64_t member_id, int64_t id,
                                         bool is_on);

/* Deletes a way. Returns STORE_NONE if the member has no such way. Runs its own transaction. */
enum store_result store_delete_alert_way(struct store *store, int64_t member_id, int64_t id);

/* Reads the service's public key for push services (applicationServerKey): the byte 4, then the
 * point. Creates the key pair when it is first needed, in its own transaction. */
#define ALERT_PUSH_KEY_BYTES (1 + ES256_POINT_BYTES)
enum store_result store_read_push_key(struct store *store, unsigned char out[ALERT_PUSH_KEY_BYTES]);

/* Reads the key pair inside a transaction. Returns STORE_NONE if it was not needed so far. */
enum store_result alert_ways_read_key(struct store *store, struct es256_key *out);

#endif
