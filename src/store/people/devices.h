/* Devices of members: browsers that are signed in (sessions.h), with the keys that the service's
 * own app has there. A browser and its app are one device, and lose their access together. */
#ifndef QSOSYNC_STORE_DEVICES_H
#define QSOSYNC_STORE_DEVICES_H

#include "store/people/sessions.h"

/* A working key of the app, for the member's log or for a station that the member operates. */
struct app_key {
    int64_t number;
    struct text name;
    struct text log; /* callsign of its log */
    int64_t created_at_ms;
    int64_t last_used_day; /* days since 1970-01-01; -1: never */
    int64_t session;       /* of its browser; 0: the browser is not signed in */
};

struct device {
    struct session browser; /* number 0: not signed in, and the device is its only app */
    const struct app_key *apps;
    size_t app_count;
};
typedef void device_visitor(void *context, const struct device *device);

/* Lists the browsers that are signed in, latest use first, then apps in other browsers. The texts
 * of browsers are valid during the call, apps as long as the arena. */
enum store_result store_list_devices(struct store *store, struct arena *arena, int64_t member_id,
                                     int64_t now_ms, device_visitor *visit, void *context);

/* The name of a device in English, such as "Pixel 8, app and browser". Either text may be missing;
 * the name that the app suggests by itself ("App, Linux") gives way to the browser's. */
struct text devices_name(struct arena *arena, struct text browser, struct text app);

/* The app in the browser of this session has the member's key of this number. STORE_NONE: the
 * member has no working key with this number that may write. Runs its own transaction. */
enum store_result store_adopt_app_key(struct store *store, int64_t member_id, int64_t session,
                                      int64_t number);

/* Revokes a key of the app, as store_revoke_key does. STORE_NONE: the member has no app with a
 * working key of this number. Runs its own transaction. */
enum store_result store_revoke_app_key(struct store *store, int64_t member_id, int64_t number);

/* Ends a session and revokes the keys of its app, on one of the member's devices or all but that of
 * `kept` (0: none is kept). Both revoke an open link for another device. STORE_NONE: the member has
 * no session with this number. Each runs its own transaction. */
enum store_result store_sign_out_device(struct store *store, int64_t member_id, int64_t number);
enum store_result store_sign_out_devices(struct store *store, int64_t member_id, int64_t kept);

/* Ends the session of this number because its browser has a new session, with this cookie. The app
 * there keeps its keys, and belongs to the new session if the member is the same. STORE_NONE: the
 * member has no session with this number. Runs its own transaction. */
enum store_result store_replace_session(struct store *store, int64_t member_id, int64_t number,
                                        struct text cookie);

/* -- For the store ----------------------------------------------------------------------------- */

struct transaction;

/* Ends the device whose app had the revoked key of this number, unless the device is the writer's
 * or the key is for a station. */
enum store_result devices_end_with_key(struct transaction *transaction, int64_t member_id,
                                       int64_t number);

#endif
