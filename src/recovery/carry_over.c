/* Writes what a restore takes over from the former logbook, which the header lists, into the
 * prepared copy: a table of statements, of which one reads rows of the former logbook and another,
 * whose parameters have the names of these columns, says in the copy what is kept of them. */
#include "recovery/carry_over.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/uuid.h"
#include "store/members.h"
#include "store/peers.h"
#include "store/store.h"

/* In the order in which they are applied: what belongs to a member follows what is known of him. A
 * member is known by id and the moment of being added: callsigns may have changed since. */
static const struct taken {
    enum statement_name list, apply;
    enum kinship least; /* of the two logbooks, or it stays behind */
} taken[] = {
    {STATEMENT_READ_LOGBOOK, STATEMENT_RAISE_LOGBOOK, KINSHIP_NONE},
    {STATEMENT_READ_LOGBOOK, STATEMENT_RESTORE_UPLOADS, KINSHIP_EMPTY},
    {STATEMENT_READ_LOGBOOK, STATEMENT_KEEP_IDENTITY, KINSHIP_SAME},
    {STATEMENT_READ_CLUB, STATEMENT_RESTORE_CLUB, KINSHIP_EMPTY},
    /* A fingerprint belongs to a key or to an upload token; the other one changes nothing. */
    {STATEMENT_LIST_REVOKED_KEYS, STATEMENT_REVOKE_FINGERPRINT, KINSHIP_SAME},
    {STATEMENT_LIST_REVOKED_KEYS, STATEMENT_REVOKE_TOKEN_FINGERPRINT, KINSHIP_SAME},
    {STATEMENT_LIST_ACTIVITY, STATEMENT_UPDATE_ACTIVITY, KINSHIP_SAME},
    {STATEMENT_LIST_DELETED_MEMBERS, STATEMENT_INSERT_DELETION, KINSHIP_SAME},
    /* A backup has none from before it was needed. Clients may still have QSOs that were named with
     * the one that was made since. */
    {STATEMENT_LIST_CLIENT_ID_SECRETS, STATEMENT_RESTORE_CLIENT_ID_SECRET, KINSHIP_SAME},
    {STATEMENT_LIST_ALL_SESSIONS, STATEMENT_RESTORE_SESSION, KINSHIP_SAME},
    {STATEMENT_LIST_ALL_LINKS, STATEMENT_RESTORE_LINK, KINSHIP_SAME},
    {STATEMENT_LIST_ACTIVITY, STATEMENT_FORGET_PASSKEYS, KINSHIP_SAME},
    {STATEMENT_LIST_ALL_PASSKEYS, STATEMENT_RESTORE_PASSKEY, KINSHIP_SAME},
    {STATEMENT_LIST_ALL_REMOVED_PEERS, STATEMENT_RESTORE_REMOVED_PEER, KINSHIP_SAME},
    {STATEMENT_LIST_ALL_PEER_CODES, STATEMENT_RESTORE_PEER_CODE, KINSHIP_SAME},
    {STATEMENT_LIST_REMOVED_CARDS, STATEMENT_RESTORE_REMOVED_CARD, KINSHIP_SAME},
    {STATEMENT_LIST_ALL_GRANTS, STATEMENT_RESTORE_GRANT, KINSHIP_SAME},
    {STATEMENT_LIST_ALL_LOG_PAGES, STATEMENT_RESTORE_LOG_PAGE, KINSHIP_SAME},
    {STATEMENT_LIST_ALL_OPERATOR_ACTS, STATEMENT_RESTORE_OPERATOR_ACT, KINSHIP_NONE},
    {STATEMENT_LIST_SEQUENCES, STATEMENT_RAISE_SEQUENCE, KINSHIP_NONE},
    {STATEMENT_LIST_SEQUENCES, STATEMENT_ADD_SEQUENCE, KINSHIP_NONE},
};

/* Not every statement asks for all columns. */
static enum store_result apply_row(struct store *candidate, enum statement_name name,
                                   const struct statement *row)
{
    struct statement *apply = database_statement(candidate->database, name);
    char parameter[64];
    for (int i = 0; i < row->column_count; i++) {
        snprintf(parameter, sizeof parameter, ":%s", row->column_names[i]);
        int index = sqlite3_bind_parameter_index(apply->handle, parameter);
        if (index > 0)
            sqlite3_bind_value(apply->handle, index, sqlite3_column_value(row->handle, i));
    }
    return database_run(candidate->database, apply);
}

enum store_result carry_over_take(struct store *former, struct store *candidate,
                                  enum kinship kinship)
{
    enum store_result result = STORE_DONE;
    for (size_t i = 0; i < sizeof taken / sizeof *taken && result == STORE_DONE; i++) {
        if (kinship < taken[i].least)
            continue;
        struct statement *list = database_statement(former->database, taken[i].list);
        while (database_next(former->database, list, &result))
            result = apply_row(candidate, taken[i].apply, list);
    }
    return result;
}

/* The clock in milliseconds, so that two restores in one second have different epochs. Deletions up
 * to now are not known any more. */
enum store_result carry_over_nothing(struct store *store)
{
    const int64_t now_ms = clock_wall_ms();
    enum store_result result = store_run(store, STATEMENT_RAISE_LOGBOOK, BIND("last_stamp", now_ms),
                                         BIND("log_epoch", now_ms));
    THEN(result, store_run(store, STATEMENT_DELETE_ALL_SESSIONS));
    return THEN(result, store_run(store, STATEMENT_DELETE_ALL_LINKS));
}

/* -- Members whom both know -------------------------------------------------------------------- */

struct known {
    int64_t id;
    int64_t created_at_ms;
};
static const struct read_column known_columns[] =
    COLUMNS(COLUMN(known, id, "id"), COLUMN(known, created_at_ms, "created_at"));

static enum store_result find_in(struct store *candidate, enum statement_name name,
                                 const struct known *member, bool *found)
{
    return store_has(candidate, found, name, BIND("id", member->id),
                     BIND("created_at", member->created_at_ms));
}

/* Looks for a member of one in the other: files of older schemas have no identity that lasts. */
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
                                     enum kinship *kinship)
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
        *kinship = is_same ? KINSHIP_SAME : has_members ? KINSHIP_NONE : KINSHIP_EMPTY;
    return result;
}

/* What has ended in the former logbook, and not in the candidate. *count tells how many; `end` may
 * be NULL. */
static enum store_result end_there(struct store *former, struct store *candidate,
                                   enum statement_name ended, enum statement_name find,
                                   enum store_result (*end)(struct store *store, int64_t id),
                                   int64_t *count)
{
    struct statement *list = database_statement(former->database, ended);
    struct known known;
    enum store_result result = STORE_DONE;
    *count = 0;
    while (database_next_row(former->database, list, known_columns, &known, &result)) {
        bool found = false;
        result = find_in(candidate, find, &known, &found);
        *count += found;
        if (found && end)
            result = end(candidate, known.id);
    }
    return result;
}

enum store_result carry_over_deletions(struct store *former, struct store *candidate,
                                       int64_t *count)
{
    return end_there(former, candidate, STATEMENT_LIST_DELETED_MEMBERS,
                     STATEMENT_FIND_DELETED_MEMBER, store_delete_member, count);
}

static enum store_result end_claiming(struct store *store, int64_t member_id)
{
    return store_set_claiming(store, member_id, false);
}

enum store_result carry_over_claims(struct store *former, struct store *candidate)
{
    int64_t count;
    enum store_result result = end_there(former, candidate, STATEMENT_LIST_ALL_REMOVED_PEERS,
                                         STATEMENT_FIND_KEPT_PEER, store_remove_peer, &count);
    return THEN(result, end_there(former, candidate, STATEMENT_LIST_ALL_WITHOUT_CLAIMS,
                                  STATEMENT_FIND_DELETED_MEMBER, end_claiming, &count));
}

enum store_result carry_over_count_deleted(struct store *former, struct store *candidate,
                                           int64_t *count)
{
    return end_there(former, candidate, STATEMENT_LIST_DELETED_MEMBERS,
                     STATEMENT_FIND_DELETED_MEMBER, NULL, count);
}
