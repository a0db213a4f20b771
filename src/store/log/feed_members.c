/* Creates and checks the codes by which members identify themselves to the cluster feed. A code is
 * derived from a member's secret and from the time at which the member's password was set. A new
 * password therefore replaces the code. */
#include "store/log/feed_members.h"

#include <string.h>

#include "base/format.h"
#include "base/keyed_hash.h"
#include "base/random.h"
#include "base/uuid.h"
#include "qso/match_callsign.h"
#include "store/store.h"
#include "store/transaction.h"

/* Computes the code with SipHash, which is designed for this use: a code reveals nothing about its
 * key. */
static void format_code(const unsigned char secret[UUID_BYTES], int64_t password_set_at_ms,
                        char out[FEED_CODE_LENGTH + 1])
{
    char subject[64];
    struct keyed_hash hash;
    _Static_assert(sizeof hash.key == UUID_BYTES, "the secret is a key");
    memcpy(hash.key, secret, sizeof hash.key);
    const size_t length =
        format_cut(subject, sizeof subject, "DX cluster feed %lld", (long long)password_set_at_ms);
    format_cut(out, FEED_CODE_LENGTH + 1, "%016llX",
               (unsigned long long)keyed_hash_of(&hash, subject, length));
}

/* Reads the member's secret, which backups contain. Creates the secret when it is first needed,
 * inside the open write transaction. */
static enum store_result read_secret(struct store *store, int64_t member_id,
                                     unsigned char out[UUID_BYTES])
{
    static const struct read_column columns[] = {
        {"feed_secret", 0, UUID_BYTES, READ_BYTES, 0, false}, {0}};
    enum store_result result =
        store_find(store, columns, NULL, out, STATEMENT_FIND_FEED_SECRET, BIND("id", member_id));
    if (result != STORE_NONE)
        return result;
    random_fill(out, UUID_BYTES);
    return store_run(store, STATEMENT_WRITE_FEED_SECRET, BIND("id", member_id),
                     BIND_BLOB("feed_secret", out, UUID_BYTES));
}

enum store_result store_make_feed_code(struct store *store, int64_t member_id,
                                       char out[FEED_CODE_LENGTH + 1])
{
    struct transaction transaction;
    unsigned char secret[UUID_BYTES];
    int64_t password_set_at_ms = 0;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, read_secret(store, member_id, secret));
    THEN(result, store_find_integer(store, "password_set_at", &password_set_at_ms,
                                    STATEMENT_FIND_FEED_REVISION, BIND("id", member_id)));
    result = store_finish(&transaction, result);
    if (result == STORE_DONE)
        format_code(secret, password_set_at_ms, out);
    return result;
}

/* Compares two codes in constant time, so that the time does not reveal where they differ. */
static bool same_code(struct text code, const char expected[FEED_CODE_LENGTH + 1])
{
    unsigned char difference = code.length != FEED_CODE_LENGTH;
    for (size_t i = 0; i < FEED_CODE_LENGTH && i < code.length; i++)
        difference |= (unsigned char)(code.bytes[i] ^ expected[i]);
    return difference == 0;
}

static const struct read_column feed_member_columns[] =
    COLUMNS(COLUMN(feed_member, id, "id"), COLUMN(feed_member, log_revision, "log_revision"),
            COLUMN(feed_member, password_set_at_ms, "password_set_at"));

enum store_result store_find_feed_member(struct store *store, struct text callsign,
                                         struct text code, struct feed_member *out)
{
    struct match_callsign normal;
    char expected[FEED_CODE_LENGTH + 1] = "";
    match_normalise_callsign(callsign, &normal);
    struct statement *find =
        store_with(store, STATEMENT_FIND_FEED_MEMBER, BIND("callsign", match_text(&normal)));
    enum store_result result = database_step(store->database, find);
    if (result != STORE_DONE)
        return result;
    database_read(find, feed_member_columns, NULL, out);
    format_code(database_read_blob(find, "feed_secret"), out->password_set_at_ms, expected);
    sqlite3_reset(find->handle);
    return same_code(code, expected) ? STORE_DONE : STORE_NONE;
}

enum store_result store_renew_feed_member(struct store *store, struct feed_member *member)
{
    const int64_t earlier_ms = member->password_set_at_ms;
    enum store_result result = store_find(store, feed_member_columns, NULL, member,
                                          STATEMENT_FIND_FEED_REVISION, BIND("id", member->id));
    return result == STORE_DONE && member->password_set_at_ms != earlier_ms ? STORE_NONE : result;
}
