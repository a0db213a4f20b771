/* Writes what a restore takes over from the former logbook, which the header lists, into the
 * prepared copy: a table of statements, of which one reads rows of the former logbook and another,
 * whose parameters have the names of these columns, says in the copy what is kept of them. */
#include "recovery/carry_over.h"

#include <string.h>

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
#define TAKEN_COUNT (sizeof taken / sizeof *taken)

struct cell {
    int type; /* SQLITE_INTEGER, SQLITE_TEXT, SQLITE_BLOB or SQLITE_NULL */
    int64_t integer;
    struct text bytes; /* of a text or BLOB */
};

struct row {
    struct row *next;
    struct cell cells[];
};

struct rows {
    const char **parameters; /* the columns' names, with a colon before each */
    int column_count;
    struct row *first;
};

struct carry_over {
    struct rows rows[TAKEN_COUNT];
};

/* -- Reading ----------------------------------------------------------------------------------- */

static struct cell keep_cell(sqlite3_value *value, struct arena *arena)
{
    struct cell cell = {.type = sqlite3_value_type(value), .integer = sqlite3_value_int64(value)};
    if (cell.type == SQLITE_TEXT || cell.type == SQLITE_BLOB) {
        const void *bytes = sqlite3_value_blob(value);
        cell.bytes.length = (size_t)sqlite3_value_bytes(value);
        cell.bytes.bytes = arena_copy(arena, bytes, cell.bytes.length);
    }
    return cell;
}

static void keep_parameters(const struct statement *list, struct arena *arena, struct rows *rows)
{
    rows->column_count = list->column_count;
    rows->parameters = arena_allocate(arena, sizeof *rows->parameters * (size_t)rows->column_count);
    for (int i = 0; i < rows->column_count; i++)
        rows->parameters[i] = arena_print(arena, ":%s", list->column_names[i]);
}

static enum store_result note_rows(struct store *store, enum statement_name name,
                                   struct arena *arena, struct rows *rows)
{
    struct statement *list = database_statement(store->database, name);
    struct row **end = &rows->first;
    enum store_result result = STORE_DONE;
    keep_parameters(list, arena, rows);
    while (database_next(store->database, list, &result)) {
        struct row *row = arena_allocate_zeroed(
            arena, sizeof *row + sizeof *row->cells * (size_t)rows->column_count);
        for (int i = 0; i < rows->column_count; i++)
            row->cells[i] = keep_cell(sqlite3_column_value(list->handle, i), arena);
        *end = row;
        end = &row->next;
    }
    return result;
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

/* -- Writing ----------------------------------------------------------------------------------- */

static void bind_cell(struct statement *statement, const char *parameter, const struct cell *cell)
{
    if (cell->type == SQLITE_INTEGER)
        database_bind_integer(statement, parameter, cell->integer);
    else if (cell->type == SQLITE_TEXT)
        database_bind_text(statement, parameter, cell->bytes);
    else if (cell->type == SQLITE_BLOB)
        database_bind_blob(statement, parameter, cell->bytes.bytes, cell->bytes.length);
    else
        database_bind_null(statement, parameter);
}

/* Not every statement asks for all columns. */
static enum store_result apply_row(struct store *store, enum statement_name name,
                                   const struct rows *rows, const struct row *row)
{
    struct statement *apply = database_statement(store->database, name);
    for (int i = 0; i < rows->column_count; i++)
        if (sqlite3_bind_parameter_index(apply->handle, rows->parameters[i]) > 0)
            bind_cell(apply, rows->parameters[i], &row->cells[i]);
    return database_run(store->database, apply);
}

enum store_result carry_over_apply(struct store *store, const struct carry_over *carried)
{
    enum store_result result = STORE_DONE;
    for (size_t i = 0; i < TAKEN_COUNT; i++)
        for (const struct row *row = carried->rows[i].first; row && result == STORE_DONE;
             row = row->next)
            result = apply_row(store, taken[i].apply, &carried->rows[i], row);
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

/* -- Members whom both know -------------------------------------------------------------------- */

struct known {
    struct known *next;
    int64_t id;
    int64_t created_at_ms;
};

static enum store_result note_members(struct store *store, enum statement_name name,
                                      struct arena *arena, struct known **members)
{
    struct statement *list = database_statement(store->database, name);
    enum store_result result = STORE_DONE;
    *members = NULL;
    while (database_next(store->database, list, &result)) {
        struct known *member = arena_allocate(arena, sizeof *member);
        member->next = *members;
        member->id = database_read_integer(list, "id");
        member->created_at_ms = database_read_integer(list, "created_at");
        *members = member;
    }
    return result;
}

/* STORE_NONE: the candidate has no such member. */
static enum store_result find_in(struct store *candidate, enum statement_name name,
                                 const struct known *member)
{
    struct statement *find = database_statement(candidate->database, name);
    database_bind_integer(find, ":id", member->id);
    database_bind_integer(find, ":created_at", member->created_at_ms);
    enum store_result result = database_step(candidate->database, find);
    sqlite3_reset(find->handle);
    return result;
}

static enum store_result find_same_identity(struct store *candidate, const unsigned char *identity)
{
    struct statement *find =
        database_statement(candidate->database, STATEMENT_FIND_LOGBOOK_IDENTITY);
    database_bind_blob(find, ":identity", identity, UUID_BYTES);
    enum store_result result = database_step(candidate->database, find);
    sqlite3_reset(find->handle);
    return result;
}

/* Looks for a member of one in the other: files of older schemas have no identity that lasts. */
static enum store_result find_shared(struct store *former, struct store *candidate,
                                     struct arena *arena)
{
    struct known *members;
    enum store_result result = note_members(former, STATEMENT_LIST_EVER_MEMBERS, arena, &members);
    if (result == STORE_DONE)
        result = STORE_NONE;
    for (; members && result == STORE_NONE; members = members->next)
        result = find_in(candidate, STATEMENT_FIND_EVER_MEMBER, members);
    return result;
}

enum store_result carry_over_compare(struct store *former, struct store *candidate,
                                     struct arena *arena, enum kinship *kinship)
{
    struct statement *read = database_statement(former->database, STATEMENT_READ_LOGBOOK);
    enum store_result result = database_step(former->database, read);
    if (result != STORE_DONE)
        return result;
    const bool has_members = database_read_integer(read, "has_members") != 0;
    result = find_same_identity(candidate, database_read_blob(read, "identity"));
    sqlite3_reset(read->handle);
    if (result == STORE_NONE)
        result = find_shared(former, candidate, arena);
    if (result == STORE_DONE)
        *kinship = KINSHIP_SAME;
    else if (result == STORE_NONE)
        *kinship = has_members ? KINSHIP_NONE : KINSHIP_EMPTY;
    return result == STORE_NONE ? STORE_DONE : result;
}

/* What has ended in the former logbook, and not in the candidate. *count tells how many. */
static enum store_result end_there(struct store *former, struct store *candidate,
                                   struct arena *arena, enum statement_name list,
                                   enum statement_name find,
                                   enum store_result (*end)(struct store *store, int64_t id),
                                   int64_t *count)
{
    struct known *ended;
    enum store_result result = note_members(former, list, arena, &ended);
    *count = 0;
    for (; ended && result == STORE_DONE; ended = ended->next) {
        result = find_in(candidate, find, ended);
        if (result == STORE_DONE) {
            result = end(candidate, ended->id);
            ++*count;
        }
        result = result == STORE_NONE ? STORE_DONE : result;
    }
    return result;
}

enum store_result carry_over_deletions(struct store *former, struct store *candidate,
                                       struct arena *arena, int64_t *count)
{
    return end_there(former, candidate, arena, STATEMENT_LIST_DELETED_MEMBERS,
                     STATEMENT_FIND_DELETED_MEMBER, store_delete_member, count);
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
    enum store_result result = end_there(former, candidate, arena, STATEMENT_LIST_ALL_REMOVED_PEERS,
                                         STATEMENT_FIND_KEPT_PEER, remove_peer, &count);
    return result == STORE_DONE
               ? end_there(former, candidate, arena, STATEMENT_LIST_ALL_WITHOUT_CLAIMS,
                           STATEMENT_FIND_DELETED_MEMBER, end_claiming, &count)
               : result;
}

static enum store_result leave(struct store *store, int64_t id)
{
    (void)store;
    (void)id;
    return STORE_DONE;
}

enum store_result carry_over_count_deleted(struct store *former, struct store *candidate,
                                           struct arena *arena, int64_t *count)
{
    return end_there(former, candidate, arena, STATEMENT_LIST_DELETED_MEMBERS,
                     STATEMENT_FIND_DELETED_MEMBER, leave, count);
}
