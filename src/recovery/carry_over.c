/* Writes what a restore takes over from the former logbook, which the header lists, into the
 * prepared copy. Reads the former rows, and writes them with the statements that other changes use
 * as well. SQLite keeps ids from being used again: its sequences only rise. */
#include "recovery/carry_over.h"

#include <string.h>

#include "base/clock.h"
#include "base/uuid.h"
#include "store/credentials.h"
#include "store/members.h"
#include "store/store.h"

struct revocation {
    struct revocation *next;
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    int64_t revoked_at_ms;
};

/* Active, disabled or deleted, and with which password. A member is known by id and the moment of
 * being added: callsigns may have changed since. */
struct activity {
    struct activity *next;
    int64_t id;
    int64_t created_at_ms;
    bool active;
    struct text password_hash; /* no text: none */
    int64_t password_set_at_ms;
};

/* What names the QSOs of a member. */
struct secret {
    struct secret *next;
    struct activity member;
    unsigned char bytes[UUID_BYTES];
};

struct carry_over {
    int64_t last_stamp_ms;
    int64_t log_epoch;
    bool uploads; /* uploads are on */
    int64_t uploads_set_at_ms;
    struct revocation *revocations;
    struct activity *activities;
    struct activity *deletions;
    struct secret *secrets;
};

static enum store_result note_logbook(struct store *store, struct carry_over *carried)
{
    struct statement *logbook = database_statement(store->database, STATEMENT_READ_LOGBOOK);
    enum store_result result = database_step(store->database, logbook);
    if (result != STORE_DONE)
        return result;
    carried->last_stamp_ms = database_read_integer(logbook, "last_stamp");
    carried->log_epoch = database_read_integer(logbook, "log_epoch");
    carried->uploads = database_read_integer(logbook, "uploads") != 0;
    carried->uploads_set_at_ms = database_read_integer(logbook, "uploads_set_at");
    sqlite3_reset(logbook->handle);
    return STORE_DONE;
}

static enum store_result note_revocations(struct store *store, struct arena *arena,
                                          struct carry_over *carried)
{
    struct statement *list = database_statement(store->database, STATEMENT_LIST_REVOKED_KEYS);
    enum store_result result = STORE_DONE;
    while (database_next(store->database, list, &result)) {
        struct revocation *revocation = arena_allocate(arena, sizeof *revocation);
        revocation->next = carried->revocations;
        memcpy(revocation->fingerprint, database_read_blob(list, "fingerprint"),
               API_KEY_FINGERPRINT_BYTES);
        revocation->revoked_at_ms = database_read_integer(list, "revoked_at");
        carried->revocations = revocation;
    }
    return result;
}

static enum store_result note_activities(struct store *store, struct arena *arena,
                                         struct carry_over *carried)
{
    struct statement *list = database_statement(store->database, STATEMENT_LIST_ACTIVITY);
    enum store_result result = STORE_DONE;
    while (database_next(store->database, list, &result)) {
        struct activity *activity = arena_allocate(arena, sizeof *activity);
        activity->next = carried->activities;
        activity->id = database_read_integer(list, "id");
        activity->created_at_ms = database_read_integer(list, "created_at");
        activity->active = database_read_integer(list, "active") != 0;
        activity->password_hash = database_keep_text(list, "password_hash", arena);
        activity->password_set_at_ms = database_read_integer(list, "password_set_at");
        carried->activities = activity;
    }
    return result;
}

static enum store_result note_deletions(struct store *store, struct arena *arena,
                                        struct activity **deletions)
{
    struct statement *list = database_statement(store->database, STATEMENT_LIST_DELETED_MEMBERS);
    enum store_result result = STORE_DONE;
    *deletions = NULL;
    while (database_next(store->database, list, &result)) {
        struct activity *deletion = arena_allocate_zeroed(arena, sizeof *deletion);
        deletion->next = *deletions;
        deletion->id = database_read_integer(list, "id");
        deletion->created_at_ms = database_read_integer(list, "created_at");
        *deletions = deletion;
    }
    return result;
}

static enum store_result note_secrets(struct store *store, struct arena *arena,
                                      struct carry_over *carried)
{
    struct statement *list = database_statement(store->database, STATEMENT_LIST_CLIENT_ID_SECRETS);
    enum store_result result = STORE_DONE;
    while (database_next(store->database, list, &result)) {
        struct secret *secret = arena_allocate_zeroed(arena, sizeof *secret);
        secret->next = carried->secrets;
        secret->member.id = database_read_integer(list, "id");
        secret->member.created_at_ms = database_read_integer(list, "created_at");
        memcpy(secret->bytes, database_read_blob(list, "client_id_secret"), UUID_BYTES);
        carried->secrets = secret;
    }
    return result;
}

/* A statement about one member, known by these two. */
static struct statement *name_member(struct store *store, enum statement_name name,
                                     const struct activity *member)
{
    struct statement *statement = database_statement(store->database, name);
    database_bind_integer(statement, ":id", member->id);
    database_bind_integer(statement, ":created_at", member->created_at_ms);
    return statement;
}

/* STORE_NONE: the candidate has no such member. */
static enum store_result find_in(struct store *candidate, const struct activity *member)
{
    struct statement *find = name_member(candidate, STATEMENT_FIND_DELETED_MEMBER, member);
    enum store_result result = database_step(candidate->database, find);
    sqlite3_reset(find->handle);
    return result;
}

enum store_result carry_over_deletions(struct store *former, struct store *candidate,
                                       struct arena *arena, int64_t *count)
{
    struct activity *deletions;
    enum store_result result = note_deletions(former, arena, &deletions);
    *count = 0;
    for (; deletions && result == STORE_DONE; deletions = deletions->next) {
        result = find_in(candidate, deletions);
        if (result == STORE_DONE) {
            result = store_delete_member(candidate, deletions->id);
            ++*count;
        }
        result = result == STORE_NONE ? STORE_DONE : result;
    }
    return result;
}

enum store_result carry_over_find_deleted(struct store *former, struct store *candidate,
                                          struct arena *arena, bool *found)
{
    struct activity *deletions;
    enum store_result result = note_deletions(former, arena, &deletions);
    *found = false;
    for (; deletions && result == STORE_DONE && !*found; deletions = deletions->next) {
        result = find_in(candidate, deletions);
        *found = result == STORE_DONE;
        result = result == STORE_NONE ? STORE_DONE : result;
    }
    return result;
}

enum store_result carry_over_note(struct store *store, struct arena *arena, struct carry_over **out)
{
    struct carry_over *carried = arena_allocate_zeroed(arena, sizeof *carried);
    enum store_result result = note_logbook(store, carried);
    if (result == STORE_DONE)
        result = note_revocations(store, arena, carried);
    if (result == STORE_DONE)
        result = note_activities(store, arena, carried);
    if (result == STORE_DONE)
        result = note_deletions(store, arena, &carried->deletions);
    if (result == STORE_DONE)
        result = note_secrets(store, arena, carried);
    if (result == STORE_DONE)
        *out = carried;
    return result;
}

static enum store_result raise_logbook(struct store *store, int64_t last_stamp_ms,
                                       int64_t log_epoch)
{
    struct statement *raise = database_statement(store->database, STATEMENT_RAISE_LOGBOOK);
    database_bind_integer(raise, ":last_stamp", last_stamp_ms);
    database_bind_integer(raise, ":log_epoch", log_epoch);
    return database_run(store->database, raise);
}

/* A fingerprint belongs to a key or to an upload token; the statement for the other kind changes
 * nothing. */
static enum store_result revoke_again(struct store *store, const struct revocation *revocation,
                                      enum statement_name name)
{
    struct statement *revoke = database_statement(store->database, name);
    database_bind_blob(revoke, ":fingerprint", revocation->fingerprint,
                       sizeof revocation->fingerprint);
    database_bind_integer(revoke, ":revoked_at", revocation->revoked_at_ms);
    return database_run(store->database, revoke);
}

static enum store_result keep_activity(struct store *store, const struct activity *member)
{
    struct statement *update = name_member(store, STATEMENT_UPDATE_ACTIVITY, member);
    database_bind_integer(update, ":active", member->active);
    database_bind_text(update, ":password_hash", member->password_hash);
    database_bind_integer(update, ":password_set_at", member->password_set_at_ms);
    return database_run(store->database, update);
}

/* A backup has none from before it was needed. Clients may still have QSOs that were named with the
 * one that was made since. */
static enum store_result restore_secrets(struct store *store, const struct secret *secrets)
{
    enum store_result result = STORE_DONE;
    for (; secrets && result == STORE_DONE; secrets = secrets->next) {
        struct statement *update =
            name_member(store, STATEMENT_RESTORE_CLIENT_ID_SECRET, &secrets->member);
        database_bind_blob(update, ":client_id_secret", secrets->bytes, sizeof secrets->bytes);
        result = database_run(store->database, update);
    }
    return result;
}

enum store_result carry_over_apply(struct store *store, const struct carry_over *carried)
{
    enum store_result result = raise_logbook(store, carried->last_stamp_ms, carried->log_epoch);
    struct statement *uploads = database_statement(store->database, STATEMENT_UPDATE_UPLOADS);
    database_bind_integer(uploads, ":uploads", carried->uploads);
    database_bind_integer(uploads, ":uploads_set_at", carried->uploads_set_at_ms);
    if (result == STORE_DONE)
        result = database_run(store->database, uploads);
    for (const struct revocation *one = carried->revocations; one && result == STORE_DONE;
         one = one->next) {
        result = revoke_again(store, one, STATEMENT_REVOKE_FINGERPRINT);
        if (result == STORE_DONE)
            result = revoke_again(store, one, STATEMENT_REVOKE_TOKEN_FINGERPRINT);
    }
    for (const struct activity *one = carried->activities; one && result == STORE_DONE;
         one = one->next)
        result = keep_activity(store, one);
    for (const struct activity *one = carried->deletions; one && result == STORE_DONE;
         one = one->next)
        result = database_run(store->database, name_member(store, STATEMENT_INSERT_DELETION, one));
    return result == STORE_DONE ? restore_secrets(store, carried->secrets) : result;
}

/* The clock in milliseconds, so that two restores in one second have different epochs. Deletions up
 * to now are not known any more. */
enum store_result carry_over_nothing(struct store *store)
{
    const int64_t now_ms = clock_wall_ms();
    return raise_logbook(store, now_ms, now_ms);
}
