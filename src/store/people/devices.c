/* Joins sessions and the app's keys into devices. A key of the app refers to the session of the
 * app's browser. When a member signs out in the browser, the key remains, so that the app still
 * works. sessions.c stores sessions, and keys.c stores keys. */
#include "store/people/devices.h"

#include "base/arena.h"
#include "base/datetime.h"
#include "store/operator_log.h"
#include "store/store.h"
#include "store/transaction.h"

#define SUGGESTED "App, " /* beginning of the name that the app suggests for its key */

struct listing {
    struct arena *arena;
    device_visitor *visit;
    void *context;
    struct app_key *apps; /* keys of the apps on all devices */
    size_t count, capacity;
};

static enum store_result read_apps(struct store *store, int64_t member_id, int64_t now_ms,
                                   struct listing *listing)
{
    static const struct read_column columns[] =
        COLUMNS(COLUMN(app_key, number, "id"), COLUMN(app_key, name, "name"),
                COLUMN(app_key, log, "callsign"), COLUMN(app_key, created_at_ms, "created_at"),
                COLUMN_OR(app_key, last_used_day, "last_used_day", -1),
                COLUMN(app_key, session, "session_id"));
    ROW_READER(columns, STATEMENT_LIST_APP_KEYS);
    struct statement *list =
        store_with(store, STATEMENT_LIST_APP_KEYS, BIND("member_id", member_id),
                   BIND("first_day", now_ms / DATETIME_DAY_MS - SESSION_DAYS), BIND("now", now_ms));
    struct app_key app;
    enum store_result result = STORE_DONE;
    while (database_next_row(store->database, list, columns, &app, &result)) {
        app.name.bytes = arena_copy(listing->arena, app.name.bytes, app.name.length);
        app.log.bytes = arena_copy(listing->arena, app.log.bytes, app.log.length);
        listing->apps = arena_grow(listing->arena, listing->apps, listing->count,
                                   &listing->capacity, sizeof app);
        listing->apps[listing->count++] = app;
    }
    return result;
}

static void visit_browser(void *context, const struct session *browser)
{
    const struct listing *listing = context;
    struct app_key *apps = NULL;
    size_t count = 0, capacity = 0;
    for (size_t i = 0; i < listing->count; i++) {
        if (listing->apps[i].session != browser->number)
            continue;
        apps = arena_grow(listing->arena, apps, count, &capacity, sizeof *apps);
        apps[count++] = listing->apps[i];
    }
    listing->visit(listing->context, &(struct device){*browser, apps, count});
}

enum store_result store_list_devices(struct store *store, struct arena *arena, int64_t member_id,
                                     int64_t now_ms, device_visitor *visit, void *context)
{
    struct listing listing = {.arena = arena, .visit = visit, .context = context};
    enum store_result result = read_apps(store, member_id, now_ms, &listing);
    THEN(result, store_list_sessions(store, member_id, now_ms, visit_browser, &listing));
    for (size_t i = 0; result == STORE_DONE && i < listing.count; i++) {
        const struct app_key *app = &listing.apps[i];
        if (app->session == 0)
            visit(context, &(struct device){{.created_at_ms = app->created_at_ms,
                                             .last_used_day = app->last_used_day},
                                            app,
                                            1});
    }
    return result;
}

struct text devices_name(struct arena *arena, struct text browser, struct text app)
{
    const bool is_suggested = text_extends(app, SUGGESTED);
    if (!app.bytes)
        return browser;
    if (!browser.bytes && is_suggested)
        return app;
    const struct text name = is_suggested ? browser : app;
    return text_of(arena_print(arena, "%.*s, %s", (int)name.length, name.bytes,
                               browser.bytes ? "app and browser" : "app"));
}

enum store_result store_adopt_app_key(struct store *store, int64_t member_id, int64_t session,
                                      int64_t number)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, store_change(store, STATEMENT_ADOPT_APP_KEY, BIND("member_id", member_id),
                              BIND("session_id", session), BIND("id", number)));
    return store_finish(&transaction, result);
}

/* Ends a session and revokes the keys of its app. Returns STORE_NONE if the session has already
 * ended. */
static enum store_result end_device(struct transaction *transaction, int64_t member_id,
                                    int64_t session)
{
    enum store_result result = sessions_end_one(transaction, member_id, session);
    return THEN(result, store_run(transaction->store, STATEMENT_REVOKE_APPS_OF_SESSION,
                                  BIND("session_id", session),
                                  BIND("revoked_at", transaction->written_at_ms)));
}

enum store_result devices_end_with_key(struct transaction *transaction, int64_t member_id,
                                       int64_t number)
{
    struct store *store = transaction->store;
    const struct identity *writer = store->writer;
    int64_t session = 0;
    enum store_result result = store_find_integer(
        store, "session_id", &session, STATEMENT_FIND_SESSION_OF_KEY, BIND("id", number));
    const bool is_own =
        writer && writer->credential == CREDENTIAL_SESSION && writer->key_number == session;
    if (result == STORE_DONE && !is_own)
        result = end_device(transaction, member_id, session);
    return result == STORE_NONE ? STORE_DONE : result;
}

enum store_result store_revoke_app_key(struct store *store, int64_t member_id, int64_t number)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, store_change(store, STATEMENT_REVOKE_APP_KEY, BIND("member_id", member_id),
                              BIND("id", number), BIND("revoked_at", transaction.written_at_ms)));
    THEN(result, devices_end_with_key(&transaction, member_id, number));
    THEN(result, operator_log_note_member(&transaction, "key revoke", member_id, "%lld",
                                          (long long)number));
    return store_finish(&transaction, result);
}

enum store_result store_sign_out_device(struct store *store, int64_t member_id, int64_t number)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, end_device(&transaction, member_id, number));
    THEN(result, operator_log_note_member(&transaction, "member sign-out", member_id,
                                          "session %lld", (long long)number));
    return store_finish(&transaction, result);
}

enum store_result store_sign_out_devices(struct store *store, int64_t member_id, int64_t kept)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, sessions_end_devices(&transaction, member_id, kept, LINK_DEVICE));
    THEN(result,
         operator_log_note_member(&transaction, "member sign-out", member_id, "all sessions"));
    return store_finish(&transaction, result);
}

enum store_result store_replace_session(struct store *store, int64_t member_id, int64_t number,
                                        struct text cookie)
{
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    struct transaction transaction;
    api_key_fingerprint(cookie, fingerprint);
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, store_run(store, STATEMENT_MOVE_APP_KEYS, BIND("session_id", number),
                           BIND("member_id", member_id),
                           BIND_BLOB("fingerprint", fingerprint, sizeof fingerprint)));
    THEN(result, sessions_end_one(&transaction, member_id, number));
    return store_finish(&transaction, result);
}
