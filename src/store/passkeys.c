/* Keeps public keys and counters, which are no secrets. A challenge is the time at which it was
 * made, and a hash of that, of its session and of the logbook's secret: nobody else makes one, and
 * asking for one writes nothing. A passkey answers only challenges that are later than the last one
 * that it has answered, so none counts twice. Their time is never before the last stamp: a clock
 * that steps back neither revives one nor stops new ones. */
#include "store/sessions.h"

#include <string.h>

#include "base/datetime.h"
#include "store/store.h"
#include "store/transaction.h"

#define SECRET_BYTES 32

/* -- Challenges -------------------------------------------------------------------------------- */

static void write_time(int64_t at_ms, unsigned char out[CHALLENGE_TIME_BYTES])
{
    for (int i = CHALLENGE_TIME_BYTES - 1; i >= 0; i--, at_ms >>= 8)
        out[i] = (unsigned char)(at_ms & 0xff);
}

static int64_t read_time(struct text challenge)
{
    int64_t at_ms = 0;
    for (size_t i = 0; i < CHALLENGE_TIME_BYTES; i++)
        at_ms = at_ms << 8 | (unsigned char)challenge.bytes[i];
    return at_ms;
}

/* All parts have a fixed length, so the hash, which begins with the secret, is a MAC. */
static void seal(const void *secret, const unsigned char *session,
                 unsigned char challenge[CHALLENGE_BYTES])
{
    unsigned char sealed[SECRET_BYTES + API_KEY_FINGERPRINT_BYTES + CHALLENGE_TIME_BYTES] = {0};
    memcpy(sealed, secret, SECRET_BYTES);
    if (session)
        memcpy(sealed + SECRET_BYTES, session, API_KEY_FINGERPRINT_BYTES);
    memcpy(sealed + SECRET_BYTES + API_KEY_FINGERPRINT_BYTES, challenge, CHALLENGE_TIME_BYTES);
    api_key_fingerprint((struct text){(const char *)sealed, sizeof sealed},
                        challenge + CHALLENGE_TIME_BYTES);
    explicit_bzero(sealed, sizeof sealed);
}

enum store_result store_make_challenge(struct store *store, int64_t now_ms,
                                       const unsigned char *session,
                                       unsigned char out[CHALLENGE_BYTES])
{
    struct statement *read = database_statement(store->database, STATEMENT_READ_CHALLENGE_SECRET);
    enum store_result result = database_step(store->database, read);
    if (result == STORE_DONE) {
        int64_t last_ms = database_read_integer(read, "last_stamp");
        write_time(now_ms > last_ms ? now_ms : last_ms, out);
        seal(database_read_blob(read, "challenge_secret"), session, out);
    }
    sqlite3_reset(read->handle);
    return result;
}

/* STORE_NONE: it was not made here, for another session, or too long ago. */
static enum store_result check_answered(struct transaction *transaction,
                                        const struct answered *answered)
{
    struct database *database = transaction->store->database;
    unsigned char own[CHALLENGE_BYTES];
    if (answered->challenge.length != CHALLENGE_BYTES)
        return STORE_NONE;
    struct statement *read = database_statement(database, STATEMENT_READ_CHALLENGE_SECRET);
    enum store_result result = database_step(database, read);
    if (result != STORE_DONE)
        return result;
    memcpy(own, answered->challenge.bytes, CHALLENGE_TIME_BYTES);
    seal(database_read_blob(read, "challenge_secret"), answered->session, own);
    sqlite3_reset(read->handle);
    if (!passkey_equals(own, answered->challenge.bytes, CHALLENGE_BYTES))
        return STORE_NONE;
    int64_t age_ms = transaction->stamp_ms - read_time(answered->challenge);
    return age_ms >= 0 && age_ms < CHALLENGE_MS ? STORE_DONE : STORE_NONE;
}

/* -- Keeping ----------------------------------------------------------------------------------- */

enum store_result store_read_passkey_user(struct store *store, int64_t member_id,
                                          unsigned char out[PASSKEY_USER_BYTES])
{
    struct statement *read = database_statement(store->database, STATEMENT_READ_CHALLENGE_SECRET);
    enum store_result result = database_step(store->database, read);
    if (result == STORE_DONE)
        memcpy(out, database_read_blob(read, "identity"), UUID_BYTES);
    sqlite3_reset(read->handle);
    write_time(member_id, out + UUID_BYTES);
    return result;
}

static enum store_result add(struct transaction *transaction, int64_t member_id, struct text name,
                             int64_t challenged_ms, const struct passkey_data *data)
{
    struct statement *insert =
        store_member_statement(transaction->store, STATEMENT_INSERT_PASSKEY, member_id);
    database_bind_text(insert, ":name", name);
    database_bind_blob(insert, ":credential", data->credential.bytes, data->credential.length);
    database_bind_blob(insert, ":point", data->point, PASSKEY_POINT_BYTES);
    database_bind_integer(insert, ":sign_count", data->sign_count);
    database_bind_integer(insert, ":challenged_at", challenged_ms);
    database_bind_integer(insert, ":created_at", transaction->written_at_ms);
    return database_change(transaction->store->database, insert);
}

enum store_result store_add_passkey(struct store *store, int64_t member_id, struct text name,
                                    const struct answered *answered,
                                    const struct passkey_data *data)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    result = check_answered(&transaction, answered);
    if (result == STORE_DONE)
        result = add(&transaction, member_id, name, read_time(answered->challenge), data);
    return store_finish(&transaction, result);
}

enum store_result store_list_passkeys(struct store *store, int64_t member_id,
                                      passkey_visitor *visit, void *context)
{
    struct statement *list = store_member_statement(store, STATEMENT_LIST_PASSKEYS, member_id);
    enum store_result result = STORE_DONE;
    while (database_next(store->database, list, &result)) {
        struct passkey passkey = {
            .number = database_read_integer(list, "id"),
            .name = database_read_text(list, "name"),
            .credential = {database_read_blob(list, "credential"),
                           (size_t)database_read_integer(list, "credential_length")},
            .created_at_ms = database_read_integer(list, "created_at"),
            .last_used_day = database_read_integer_or(list, "last_used_day", -1),
            .copied_at_ms = database_read_integer(list, "copied_at"),
        };
        visit(context, &passkey);
    }
    return result;
}

enum store_result store_remove_passkey(struct store *store, int64_t member_id, int64_t number,
                                       int64_t kept)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    struct statement *remove = store_member_statement(store, STATEMENT_DELETE_PASSKEY, member_id);
    database_bind_integer(remove, ":id", number);
    result = database_change(store->database, remove);
    if (result == STORE_DONE)
        result = sessions_end_others(&transaction, member_id, kept);
    return store_finish(&transaction, result);
}

/* -- Using ------------------------------------------------------------------------------------- */

enum store_result store_find_passkey(struct store *store, struct text credential,
                                     struct passkey_owner *out)
{
    struct statement *find = database_statement(store->database, STATEMENT_FIND_PASSKEY);
    database_bind_blob(find, ":credential", credential.bytes, credential.length);
    enum store_result result = database_step(store->database, find);
    if (result == STORE_DONE) {
        out->number = database_read_integer(find, "id");
        out->member_id = database_read_integer(find, "member_id");
        memcpy(out->point, database_read_blob(find, "point"), PASSKEY_POINT_BYTES);
    }
    sqlite3_reset(find->handle);
    return result;
}

/* STORE_NONE: it may not be used; STORE_REFUSED: its counter has not risen. */
static enum store_result judge(struct transaction *transaction, const struct passkey_use *use)
{
    struct database *database = transaction->store->database;
    enum store_result result = check_answered(transaction, &use->answered);
    if (result != STORE_DONE)
        return result;
    struct statement *find = database_statement(database, STATEMENT_FIND_PASSKEY_USE);
    database_bind_integer(find, ":id", use->owner.number);
    result = database_step(database, find);
    if (result != STORE_DONE)
        return result;
    int64_t count = database_read_integer(find, "sign_count");
    int64_t challenged_ms = database_read_integer(find, "challenged_at");
    sqlite3_reset(find->handle);
    if (read_time(use->answered.challenge) <= challenged_ms)
        return STORE_NONE;
    bool counts = count > 0 || use->sign_count > 0;
    return counts && use->sign_count <= count ? STORE_REFUSED : STORE_DONE;
}

static struct statement *name_use(struct transaction *transaction, enum statement_name name,
                                  const struct passkey_use *use)
{
    struct statement *statement = database_statement(transaction->store->database, name);
    database_bind_integer(statement, ":id", use->owner.number);
    database_bind_integer(statement, ":challenged_at", read_time(use->answered.challenge));
    return statement;
}

static enum store_result note_copy(struct transaction *transaction, const struct passkey_use *use)
{
    struct statement *note = name_use(transaction, STATEMENT_NOTE_PASSKEY_COPY, use);
    database_bind_integer(note, ":copied_at", transaction->written_at_ms);
    return database_run(transaction->store->database, note);
}

/* Begins a transaction, which is open if it returns STORE_DONE, and uses the passkey in it. */
static enum store_result begin_use(struct store *store, const struct passkey_use *use,
                                   struct transaction *transaction)
{
    enum store_result result = store_begin_write(store, transaction);
    if (result != STORE_DONE)
        return result;
    result = judge(transaction, use);
    if (result == STORE_REFUSED) {
        result = store_finish(transaction, note_copy(transaction, use));
        return result == STORE_DONE ? STORE_REFUSED : result;
    }
    if (result == STORE_DONE) {
        struct statement *update = name_use(transaction, STATEMENT_USE_PASSKEY, use);
        database_bind_integer(update, ":sign_count", use->sign_count);
        database_bind_integer(update, ":last_used_day",
                              transaction->written_at_ms / DATETIME_DAY_MS);
        result = database_run(store->database, update);
    }
    return result == STORE_DONE ? STORE_DONE : store_finish(transaction, result);
}

enum store_result
store_open_session_by_passkey(struct store *store, const struct passkey_use *use,
                              struct text device,
                              const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES])
{
    struct transaction transaction;
    enum store_result result = begin_use(store, use, &transaction);
    if (result != STORE_DONE)
        return result;
    const struct new_session opened = {.member_id = use->owner.member_id,
                                       .device = device,
                                       .fingerprint = fingerprint,
                                       .proved_at_ms = transaction.written_at_ms};
    return store_finish(&transaction, sessions_open(&transaction, &opened));
}

enum store_result store_prove_by_passkey(struct store *store, const struct passkey_use *use,
                                         int64_t number)
{
    struct transaction transaction;
    enum store_result result = begin_use(store, use, &transaction);
    if (result != STORE_DONE)
        return result;
    return store_finish(&transaction, sessions_prove(&transaction, use->owner.member_id, number));
}
