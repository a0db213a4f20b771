/* Lists and signs out members' devices: signed-in browsers (sessions.h), with the keys of the
 * service's own app in these browsers. A browser and its app are one device, and lose their access
 * together. */
#ifndef QSOSYNC_STORE_DEVICES_H
#define QSOSYNC_STORE_DEVICES_H

#include "store/people/sessions.h"

/* A working key of the app, for the member's log or for a station that the member operates. */
struct app_key {
    int64_t number;
    struct text name;
    struct text log; /* callsign of the log for which the key is valid */
    int64_t created_at_ms;
    int64_t last_used_day; /* last day of use, in days since 1970-01-01; -1: never */
    /* session of the browser that contains the app; 0: the browser is not signed in */
    int64_t session;
};

struct device {
    /* number 0: the browser is not signed in, and the device is only its app */
    struct session browser;
    const struct app_key *apps;
    size_t app_count;
};
typedef void device_visitor(void *context, const struct device *device);

/* Lists the signed-in browsers, latest use first, and then the apps in other browsers. The texts of
 * browsers are valid during the call to visit; apps are in the arena. */
enum store_result store_list_devices(struct store *store, struct arena *arena, int64_t member_id,
                                     int64_t now_ms, device_visitor *visit, void *context);

/* Returns the name of a device in English, such as "Pixel 8, app and browser". Either text can be
 * missing. The browser's name replaces a name that the app suggests by default ("App, Linux"). */
struct text devices_name(struct arena *arena, struct text browser, struct text app);

/* Records that the app in the browser with this session uses the member's key with this number.
 * Returns STORE_NONE if the member has no active key with this number that may write. Runs its own
 * transaction. */
enum store_result store_adopt_app_key(struct store *store, int64_t member_id, int64_t session,
                                      int64_t number);

/* Revokes a key of the app, as store_revoke_key does. Returns STORE_NONE if the member has no
 * active key for the app with this number. Runs its own transaction. */
enum store_result store_revoke_app_key(struct store *store, int64_t member_id, int64_t number);

/* Ends the session with this number, and revokes the keys of its app and an open link for another
 * device. Returns STORE_NONE if the member has no session with this number. Runs its own
 * transaction. */
enum store_result store_sign_out_device(struct store *store, int64_t member_id, int64_t number);

/* Ends all of the member's sessions except `kept` (0: no exception). Revokes an open link for
 * another device, and the keys of all apps except the app in the browser with the session `kept`.
 * Runs its own transaction. */
enum store_result store_sign_out_devices(struct store *store, int64_t member_id, int64_t kept);

/* Ends the session with this number after its browser has received a new session, with this
 * cookie. The app in the browser keeps its keys. The app belongs to the new session if the member
 * is the same. Returns STORE_NONE if the member has no session with this number. Runs its own
 * transaction. */
enum store_result store_replace_session(struct store *store, int64_t member_id, int64_t number,
                                        struct text cookie);

/* Signs out the device whose app used the revoked key with this number, inside a write transaction.
 * Does nothing if this is the writer's own device, or if the key is for a station. */
enum store_result devices_end_with_key(struct transaction *transaction, int64_t member_id,
                                       int64_t number);

#endif
