/* Writes the data that a restore takes over from the old logbook, as listed in the header, into the
 * prepared copy. A table pairs statements: the first reads rows of the old logbook. The second has
 * parameters named after these columns, and writes the values to the copy. */
#include "recovery/carry_over.h"

#include "base/clock.h"
#include "base/format.h"
#include "base/uuid.h"
#include "store/club/claims_serve.h"
#include "store/club/peers.h"
#include "store/people/member_deletion.h"
#include "store/people/members.h"
#include "store/store.h"

/* The rows that a restore carries over from the old logbook, in their order: a member comes before
 * the member's data. Members are identified by id and the time when they were added, because
 * callsigns may have changed since. A revoked fingerprint belongs to a key or to an upload token,
 * so one of its two statements changes nothing. */
static const struct taken {
    enum statement_name list, apply;
    enum logbook_relation least; /* least relation of the logbooks to take it over */
} taken[] = {
    {STATEMENT_READ_LOGBOOK, STATEMENT_RAISE_LOGBOOK, RELATION_NONE},
    {STATEMENT_READ_LOGBOOK, STATEMENT_RESTORE_UPLOADS, RELATION_EMPTY},
    {STATEMENT_READ_LOGBOOK, STATEMENT_KEEP_IDENTITY, RELATION_SAME},
    {STATEMENT_READ_LOGBOOK, STATEMENT_KEEP_CLOCK_CONFIRMED, RELATION_SAME},
    {STATEMENT_READ_CLUB, STATEMENT_RESTORE_CLUB, RELATION_EMPTY},
    {STATEMENT_LIST_REVOKED_KEYS, STATEMENT_REVOKE_FINGERPRINT, RELATION_SAME},
    {STATEMENT_LIST_REVOKED_KEYS, STATEMENT_REVOKE_TOKEN_FINGERPRINT, RELATION_SAME},
    {STATEMENT_LIST_ACTIVITY, STATEMENT_UPDATE_ACTIVITY, RELATION_SAME},
    {STATEMENT_LIST_DELETED_MEMBERS, STATEMENT_INSERT_DELETION, RELATION_SAME},
    {STATEMENT_LIST_ALL_FEED_SECRETS, STATEMENT_RESTORE_FEED_SECRET, RELATION_SAME},
    {STATEMENT_LIST_ALL_CALLSIGNS, STATEMENT_RESTORE_CALLSIGN, RELATION_SAME},
    {STATEMENT_LIST_ALL_SESSIONS, STATEMENT_RESTORE_SESSION, RELATION_SAME},
    {STATEMENT_LIST_ALL_LINKS, STATEMENT_RESTORE_LINK, RELATION_SAME},
    {STATEMENT_LIST_ACTIVITY, STATEMENT_FORGET_PASSKEYS, RELATION_SAME},
    {STATEMENT_LIST_ALL_PASSKEYS, STATEMENT_RESTORE_PASSKEY, RELATION_SAME},
    {STATEMENT_LIST_ALL_REMOVED_PEERS, STATEMENT_RESTORE_REMOVED_PEER, RELATION_SAME},
    {STATEMENT_LIST_ALL_PEER_CODES, STATEMENT_RESTORE_PEER_CODE, RELATION_SAME},
    {STATEMENT_LIST_REMOVED_CARDS, STATEMENT_RESTORE_REMOVED_CARD, RELATION_SAME},
    {STATEMENT_LIST_ALL_GRANTS, STATEMENT_RESTORE_GRANT, RELATION_SAME},
    {STATEMENT_LIST_ALL_LOG_PAGES, STATEMENT_RESTORE_LOG_PAGE, RELATION_SAME},
    {STATEMENT_LIST_ALL_OPERATOR_ACTS, STATEMENT_RESTORE_OPERATOR_ACT, RELATION_NONE},
    {STATEMENT_LIST_SEQUENCES, STATEMENT_RAISE_SEQUENCE, RELATION_NONE},
    {STATEMENT_LIST_SEQUENCES, STATEMENT_ADD_SEQUENCE, RELATION_NONE},
};

/* A statement may use only some of the columns. */
static enum store_result apply_row(struct store *candidate, enum statement_name name,
                                   const struct statement *row)
{
    struct statement *apply = database_statement(candidate->database, name);
    char parameter[64];
    for (int i = 0; i < sqlite3_column_count(row->handle); i++) {
        format_cut(parameter, sizeof parameter, ":%s", sqlite3_column_name(row->handle, i));
        int index = sqlite3_bind_parameter_index(apply->handle, parameter);
        if (index > 0)
            sqlite3_bind_value(apply->handle, index, sqlite3_column_value(row->handle, i));
    }
    return database_run(candidate->database, apply);
}

enum store_result carry_over_take(struct store *former, struct store *candidate,
                                  enum logbook_relation relation)
{
    enum store_result result = STORE_DONE;
    for (size_t i = 0; i < sizeof taken / sizeof *taken && result == STORE_DONE; i++) {
        if (relation < taken[i].least)
            continue;
        struct statement *list = database_statement(former->database, taken[i].list);
        while (database_next(former->database, list, &result))
            result = apply_row(candidate, taken[i].apply, list);
    }
    return result;
}

/* The epoch is the clock in milliseconds, so that two restores in one second have different epochs.
 * Deletions up to now become unknown. */
enum store_result carry_over_nothing(struct store *store)
{
    const int64_t now_ms = clock_wall_ms();
    enum store_result result = store_run(store, STATEMENT_RAISE_LOGBOOK, BIND("last_stamp", now_ms),
                                         BIND("log_epoch", now_ms));
    THEN(result, store_run(store, STATEMENT_DELETE_ALL_SESSIONS));
    return THEN(result, store_run(store, STATEMENT_DELETE_ALL_LINKS));
}

/* -- Members in both logbooks ------------------------------------------------------------------ */

struct known {
    int64_t id;
    int64_t created_at_ms;
};
static const struct read_column known_columns[] =
    COLUMNS(COLUMN(known, id, "id"), COLUMN(known, created_at_ms, "created_at"));

ROW_READER(known_columns, STATEMENT_LIST_EVER_MEMBERS);
ROW_READER(known_columns, STATEMENT_LIST_DELETED_MEMBERS);
ROW_READER(known_columns, STATEMENT_LIST_ALL_REMOVED_PEERS);
ROW_READER(known_columns, STATEMENT_LIST_ALL_WITHOUT_CLAIMS);

static enum store_result find_in(struct store *candidate, enum statement_name name,
                                 const struct known *member, bool *found)
{
    return store_has(candidate, found, name, BIND("id", member->id),
                     BIND("created_at", member->created_at_ms));
}

/* Looks for a member of either logbook in the other: files of older schemas have no lasting
 * identity. */
static enum store_result find_shared(struct store *former, struct store *candidate, bool *found)
{
    struct statement *list = database_statement(former->database, STATEMENT_LIST_EVER_MEMBERS);
    struct known member;
    enum store_result result = STORE_DONE;
    while (!*found && database_next_row(former->database, list, known_columns, &member, &result))
        result = find_in(candidate, STATEMENT_FIND_EVER_MEMBER, &member, found);
    sqlite3_reset(list->handle);
    return result;
}

enum store_result carry_over_compare(struct store *former, struct store *candidate,
                                     enum logbook_relation *relation)
{
    bool is_same = false;
    struct statement *read = database_statement(former->database, STATEMENT_READ_LOGBOOK);
    enum store_result result = database_step(former->database, read);
    if (result != STORE_DONE)
        return result;
    const bool has_members = database_read_integer(read, "has_members") != 0;
    result = store_has(candidate, &is_same, STATEMENT_FIND_LOGBOOK_IDENTITY,
                       BIND_BLOB("identity", database_read_blob(read, "identity"), UUID_BYTES));
    sqlite3_reset(read->handle);
    if (!is_same)
        THEN(result, find_shared(former, candidate, &is_same));
    if (result == STORE_DONE)
        *relation = is_same ? RELATION_SAME : has_members ? RELATION_NONE : RELATION_EMPTY;
    return result;
}

static enum store_result end_claiming(struct store *store, int64_t member_id)
{
    return store_set_claiming(store, member_id, false);
}

/* Objects that ended in the old logbook, how to find them in the candidate, and how to end them
 * there. Members come first, because they are counted. */
static const struct ending {
    enum statement_name list, find;
    enum store_result (*end)(struct store *store, int64_t id);
} endings[] = {{STATEMENT_LIST_DELETED_MEMBERS, STATEMENT_FIND_DELETED_MEMBER, store_delete_member},
               {STATEMENT_LIST_ALL_REMOVED_PEERS, STATEMENT_FIND_KEPT_PEER, store_remove_peer},
               {STATEMENT_LIST_ALL_WITHOUT_CLAIMS, STATEMENT_FIND_DELETED_MEMBER, end_claiming}};

static enum store_result follow(const struct ending *ending, struct store *former,
                                struct store *candidate, int64_t *count)
{
    struct statement *list = database_statement(former->database, ending->list);
    struct known known;
    enum store_result result = STORE_DONE;
    while (database_next_row(former->database, list, known_columns, &known, &result)) {
        bool found = false;
        result = find_in(candidate, ending->find, &known, &found);
        *count += found;
        if (found)
            THEN(result, ending->end(candidate, known.id));
    }
    return result;
}

enum store_result carry_over_endings(struct store *former, struct store *candidate,
                                     int64_t *deleted)
{
    int64_t others = 0;
    enum store_result result = STORE_DONE;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        THEN(result, follow(&endings[i], former, candidate, i == 0 ? deleted : &others));
    return result;
}
