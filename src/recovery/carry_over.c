/* Writes what a restore takes over from the former logbook, which the header lists, into the
 * prepared copy: a table of statements, of which one reads rows of the former logbook and another,
 * whose parameters have the names of these columns, says in the copy what is kept of them. */
#include "recovery/carry_over.h"

#include <assert.h>

#include "base/clock.h"
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
#define TAKEN_COUNT (sizeof taken / sizeof *taken)

struct row {
    struct row *next;
    sqlite3_value *values[];
};

struct rows {
    const char **parameters; /* the columns' names, with a colon before each */
    int column_count;
    struct row *first;
};

struct carry_over {
    struct rows rows[TAKEN_COUNT];
};

static void release(void *value)
{
    sqlite3_value_free(value);
}

static enum store_result note_rows(struct store *store, enum statement_name name,
                                   struct arena *arena, struct rows *rows)
{
    struct statement *list = database_statement(store->database, name);
    const size_t count = (size_t)list->column_count;
    struct row **end = &rows->first;
    enum store_result result = STORE_DONE;
    *rows =
        (struct rows){arena_allocate(arena, sizeof *rows->parameters * count), (int)count, NULL};
    for (size_t i = 0; i < count; i++)
        rows->parameters[i] = arena_print(arena, ":%s", list->column_names[i]);
    while (database_next(store->database, list, &result)) {
        struct row *row = arena_allocate_zeroed(arena, sizeof *row + sizeof *row->values * count);
        for (size_t i = 0; i < count; i++) {
            row->values[i] = sqlite3_value_dup(sqlite3_column_value(list->handle, (int)i));
            assert(row->values[i]);
            arena_own(arena, row->values[i], release);
        }
        *end = row;
        end = &row->next;
    }
    return result;
}

/* The statement with the row's values; not every statement asks for all columns. */
static struct statement *bind_row(struct store *store, enum statement_name name,
                                  const struct rows *rows, const struct row *row)
{
    struct statement *statement = database_statement(store->database, name);
    for (int i = 0; i < rows->column_count; i++) {
        const int place = sqlite3_bind_parameter_index(statement->handle, rows->parameters[i]);
        if (place > 0)
            sqlite3_bind_value(statement->handle, place, row->values[i]);
    }
    return statement;
}

enum store_result carry_over_note(struct store *store, enum kinship kinship, struct arena *arena,
                                  struct carry_over **out)
{
    struct carry_over *carried = arena_allocate_zeroed(arena, sizeof *carried);
    enum store_result result = STORE_DONE;
    for (size_t i = 0; i < TAKEN_COUNT && result == STORE_DONE; i++)
        if (kinship >= taken[i].least)
            result = note_rows(store, taken[i].list, arena, &carried->rows[i]);
    if (result == STORE_DONE)
        *out = carried;
    return result;
}

enum store_result carry_over_apply(struct store *store, const struct carry_over *carried)
{
    enum store_result result = STORE_DONE;
    for (size_t i = 0; i < TAKEN_COUNT; i++)
        for (const struct row *row = carried->rows[i].first; row && result == STORE_DONE;
             row = row->next)
            result = database_run(store->database,
                                  bind_row(store, taken[i].apply, &carried->rows[i], row));
    return result;
}

/* The clock in milliseconds, so that two restores in one second have different epochs. Deletions up
 * to now are not known any more. */
enum store_result carry_over_nothing(struct store *store)
{
    static const enum statement_name ended[] = {STATEMENT_DELETE_ALL_SESSIONS,
                                                STATEMENT_DELETE_ALL_LINKS};
    const int64_t now_ms = clock_wall_ms();
    struct statement *raise = database_statement(store->database, STATEMENT_RAISE_LOGBOOK);
    database_bind_integer(raise, ":last_stamp", now_ms);
    database_bind_integer(raise, ":log_epoch", now_ms);
    enum store_result result = database_run(store->database, raise);
    for (size_t i = 0; i < sizeof ended / sizeof *ended && result == STORE_DONE; i++)
        result = database_run(store->database, database_statement(store->database, ended[i]));
    return result;
}

/* -- What both know ---------------------------------------------------------------------------- */

/* Rows of the former logbook that the candidate has, too: each comes to its end there (NULL: it
 * stays). *count tells how many. */
static enum store_result meet(struct store *former, enum statement_name list,
                              struct store *candidate, enum statement_name find,
                              enum store_result (*end)(struct store *store, int64_t id),
                              struct arena *arena, int64_t *count)
{
    struct rows rows;
    enum store_result result = note_rows(former, list, arena, &rows);
    *count = 0;
    for (const struct row *row = rows.first; row && result == STORE_DONE; row = row->next) {
        int64_t id;
        result = database_find_integer(candidate->database, bind_row(candidate, find, &rows, row),
                                       "id", &id);
        *count += result == STORE_DONE;
        if (result == STORE_DONE && end)
            result = end(candidate, id);
        result = result == STORE_NONE ? STORE_DONE : result;
    }
    return result;
}

/* Files of older schemas have no identity that lasts: a member whom both know tells, too. */
enum store_result carry_over_compare(struct store *former, struct store *candidate,
                                     struct arena *arena, enum kinship *kinship)
{
    int64_t shared, has_members = 0;
    enum store_result result = database_find_integer(
        former->database, database_statement(former->database, STATEMENT_READ_LOGBOOK),
        "has_members", &has_members);
    if (result == STORE_DONE)
        result = meet(former, STATEMENT_READ_LOGBOOK, candidate, STATEMENT_FIND_LOGBOOK_IDENTITY,
                      NULL, arena, &shared);
    if (result == STORE_DONE && !shared)
        result = meet(former, STATEMENT_LIST_EVER_MEMBERS, candidate, STATEMENT_FIND_EVER_MEMBER,
                      NULL, arena, &shared);
    if (result == STORE_DONE)
        *kinship = shared ? KINSHIP_SAME : has_members ? KINSHIP_NONE : KINSHIP_EMPTY;
    return result;
}

enum store_result carry_over_deletions(struct store *former, struct store *candidate,
                                       struct arena *arena, int64_t *count)
{
    return meet(former, STATEMENT_LIST_DELETED_MEMBERS, candidate, STATEMENT_FIND_DELETED_MEMBER,
                store_delete_member, arena, count);
}

enum store_result carry_over_count_deleted(struct store *former, struct store *candidate,
                                           struct arena *arena, int64_t *count)
{
    return meet(former, STATEMENT_LIST_DELETED_MEMBERS, candidate, STATEMENT_FIND_DELETED_MEMBER,
                NULL, arena, count);
}

static enum store_result remove_peer(struct store *store, int64_t id)
{
    return store_remove_peer(store, id, (struct text){0});
}

static enum store_result end_claiming(struct store *store, int64_t member_id)
{
    return store_set_claiming(store, member_id, false);
}

enum store_result carry_over_claims(struct store *former, struct store *candidate,
                                    struct arena *arena)
{
    int64_t count;
    enum store_result result = meet(former, STATEMENT_LIST_ALL_REMOVED_PEERS, candidate,
                                    STATEMENT_FIND_KEPT_PEER, remove_peer, arena, &count);
    return result == STORE_DONE ? meet(former, STATEMENT_LIST_ALL_WITHOUT_CLAIMS, candidate,
                                       STATEMENT_FIND_DELETED_MEMBER, end_claiming, arena, &count)
                                : result;
}
