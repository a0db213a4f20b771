/* Stores public keys and counters, which are not secret, and checks challenges. A challenge
 * contains its time of creation, and a hash of that time, the challenge's session and the logbook's
 * secret. So nobody else can create a challenge, and requesting a challenge writes nothing. A
 * passkey or session can answer only challenges that are later than the last challenge that it
 * answered, so that no answer counts twice. The time of a challenge is never before the last stamp.
 * So a clock that is set back neither revives a challenge nor blocks new challenges. */
#include "store/people/passkeys.h"

#include <endian.h>
#include <string.h>

#include "base/datetime.h"
#include "base/passkey.h"
#include "base/secret.h"
#include "store/people/seal.h"
#include "store/people/sessions.h"
#include "store/store.h"
#include "store/transaction.h"

static void write_time(int64_t at_ms, unsigned char out[CHALLENGE_TIME_BYTES])
{
    const uint64_t number = htobe64((uint64_t)at_ms);
    memcpy(out, &number, CHALLENGE_TIME_BYTES);
}

static int64_t read_time(const void *challenge)
{
    uint64_t number;
    memcpy(&number, challenge, CHALLENGE_TIME_BYTES);
    return (int64_t)be64toh(number);
}

/* Appends the hash to a challenge that already contains its time. */
static enum store_result complete(struct store *store, const unsigned char *session,
                                  unsigned char challenge[CHALLENGE_BYTES])
{
    return store_seal(store, session, read_time(challenge), challenge + CHALLENGE_TIME_BYTES);
}

enum store_result store_make_challenge(struct store *store, int64_t now_ms,
                                       const unsigned char *session,
                                       unsigned char out[CHALLENGE_BYTES])
{
    int64_t last_ms = 0;
    enum store_result result =
        store_find_integer(store, "last_stamp", &last_ms, STATEMENT_READ_CHALLENGE_SECRET);
    write_time(now_ms > last_ms ? now_ms : last_ms, out);
    return THEN(result, complete(store, session, out));
}

/* Checks an answered challenge, and stores it as the last challenge of its session, if it has a
 * session. Returns STORE_NONE if the challenge was not created here, is for another session, is too
 * old, or is not later than the session's last challenge. */
static enum store_result check_answered(struct transaction *transaction,
                                        const struct answered *answered)
{
    unsigned char own[CHALLENGE_BYTES];
    if (answered->challenge.length != CHALLENGE_BYTES)
        return STORE_NONE;
    memcpy(own, answered->challenge.bytes, CHALLENGE_TIME_BYTES);
    enum store_result result = complete(transaction->store, answered->session, own);
    const int64_t age_ms = transaction->stamp_ms - read_time(answered->challenge.bytes);
    const bool holds = secret_equals(own, answered->challenge.bytes, CHALLENGE_BYTES) &&
                       age_ms >= 0 && age_ms < CHALLENGE_MS;
    if (result == STORE_DONE && !holds)
        return STORE_NONE;
    if (answered->session)
        THEN(result,
             store_change(transaction->store, STATEMENT_ANSWER_CHALLENGE,
                          BIND_BLOB("fingerprint", answered->session, API_KEY_FINGERPRINT_BYTES),
                          BIND("challenged_at", read_time(answered->challenge.bytes))));
    return result;
}

enum store_result store_read_passkey_user(struct store *store, int64_t member_id,
                                          unsigned char out[PASSKEY_USER_BYTES])
{
    static const struct read_column columns[] = {{"identity", 0, UUID_BYTES, READ_BYTES, 0, false},
                                                 {0}};
    write_time(member_id, out + UUID_BYTES);
    return store_find(store, columns, NULL, out, STATEMENT_READ_CHALLENGE_SECRET);
}

enum store_result store_add_passkey(struct store *store, int64_t member_id, struct text name,
                                    const struct answered *answered,
                                    const struct passkey_data *data)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, check_answered(&transaction, answered));
    THEN(result,
         store_change(store, STATEMENT_INSERT_PASSKEY, BIND("member_id", member_id),
                      BIND("name", name),
                      BIND_BLOB("credential", data->credential.bytes, data->credential.length),
                      BIND_BLOB("point", data->point, ES256_POINT_BYTES),
                      BIND("sign_count", data->sign_count),
                      BIND("challenged_at", read_time(answered->challenge.bytes)),
                      BIND("created_at", transaction.written_at_ms)));
    return store_finish(&transaction, result);
}

enum store_result store_list_passkeys(struct store *store, int64_t member_id,
                                      passkey_visitor *visit, void *context)
{
    static const struct read_column columns[] = COLUMNS(
        COLUMN(passkey, number, "id"), COLUMN(passkey, name, "name"),
        COLUMN(passkey, credential, "credential"), COLUMN(passkey, created_at_ms, "created_at"),
        COLUMN_OR(passkey, last_used_day, "last_used_day", -1),
        COLUMN(passkey, copied_at_ms, "copied_at"));
    ROW_READER(columns, STATEMENT_LIST_PASSKEYS);
    struct statement *list =
        store_with(store, STATEMENT_LIST_PASSKEYS, BIND("member_id", member_id));
    struct passkey passkey;
    enum store_result result = STORE_DONE;
    while (database_next_row(store->database, list, columns, &passkey, &result))
        visit(context, &passkey);
    return result;
}

enum store_result store_remove_passkey(struct store *store, int64_t member_id, int64_t number,
                                       int64_t kept)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, store_change(store, STATEMENT_DELETE_PASSKEY, BIND("member_id", member_id),
                              BIND("id", number)));
    THEN(result, sessions_end_devices(&transaction, member_id, kept, LINK_DEVICE));
    return store_finish(&transaction, result);
}

enum store_result store_rename_passkey(struct store *store, int64_t member_id, int64_t number,
                                       struct text name)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, store_change(store, STATEMENT_RENAME_PASSKEY, BIND("member_id", member_id),
                              BIND("id", number), BIND("name", name)));
    return store_finish(&transaction, result);
}

enum store_result store_find_passkey(struct store *store, struct text credential,
                                     struct passkey_owner *out)
{
    static const struct read_column columns[] =
        COLUMNS(COLUMN(passkey_owner, number, "id"), COLUMN(passkey_owner, member_id, "member_id"),
                COLUMN_BYTES(passkey_owner, point, "point"));
    return store_find(store, columns, NULL, out, STATEMENT_FIND_PASSKEY,
                      BIND_BLOB("credential", credential.bytes, credential.length));
}

/* Checks the use of a passkey. Returns STORE_NONE if the challenge is not valid. Returns
 * STORE_REFUSED if the passkey has a counter that has not risen, which means that the passkey was
 * copied. */
static enum store_result check_use(struct transaction *transaction, const struct passkey_use *use)
{
    int64_t is_copy = 0;
    enum store_result result = check_answered(transaction, &use->answered);
    THEN(result, store_find_integer(transaction->store, "is_copy", &is_copy,
                                    STATEMENT_FIND_PASSKEY_USE, BIND("id", use->owner.number),
                                    BIND("challenged_at", read_time(use->answered.challenge.bytes)),
                                    BIND("sign_count", use->sign_count)));
    return result == STORE_DONE && is_copy ? STORE_REFUSED : result;
}

/* Begins a transaction, and checks the use of the passkey in it. The transaction is open only if
 * the result is STORE_DONE. */
static enum store_result begin_use(struct store *store, const struct passkey_use *use,
                                   struct transaction *transaction)
{
    enum store_result result = store_begin_write(store, transaction);
    THEN(result, check_use(transaction, use));
    if (result == STORE_REFUSED) {
        result = store_run(store, STATEMENT_NOTE_PASSKEY_COPY, BIND("id", use->owner.number),
                           BIND("challenged_at", read_time(use->answered.challenge.bytes)),
                           BIND("copied_at", transaction->written_at_ms));
        result = store_finish(transaction, result);
        return result == STORE_DONE ? STORE_REFUSED : result;
    }
    THEN(result, store_run(store, STATEMENT_USE_PASSKEY, BIND("id", use->owner.number),
                           BIND("challenged_at", read_time(use->answered.challenge.bytes)),
                           BIND("sign_count", use->sign_count),
                           BIND("last_used_day", transaction->written_at_ms / DATETIME_DAY_MS)));
    return result == STORE_DONE ? STORE_DONE : store_finish(transaction, result);
}

enum store_result store_open_session_by_passkey(struct store *store, const struct passkey_use *use,
                                                struct text device,
                                                char cookie[SESSION_COOKIE_SIZE])
{
    struct transaction transaction;
    enum store_result result = begin_use(store, use, &transaction);
    if (result != STORE_DONE)
        return result;
    const struct new_session opened = {.member_id = use->owner.member_id,
                                       .device = device,
                                       .proved_at_ms = transaction.written_at_ms};
    return store_finish(&transaction, sessions_open(&transaction, &opened, cookie));
}

enum store_result store_prove_by_passkey(struct store *store, const struct passkey_use *use,
                                         int64_t number)
{
    struct transaction transaction;
    enum store_result result = begin_use(store, use, &transaction);
    return THEN(result,
                store_finish(&transaction,
                             sessions_prove(&transaction, use->owner.member_id, number, false)));
}
