/* Finds members, peers and claims that are in both the old logbook and the candidate. These matches
 * show whether the two are the same logbook. They also show which of the candidate's objects were
 * removed from the old logbook after the backup. */
#include "recovery/both_logbooks.h"

#include "base/uuid.h"
#include "store/club/claiming.h"
#include "store/club/peers.h"
#include "store/people/member_deletion.h"
#include "store/people/members.h"
#include "store/store.h"

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

/* Looks for a member whom both logbooks contain or once contained, because a file with an older
 * schema has no lasting identity. */
static enum store_result find_shared(struct store *old, struct store *candidate, bool *found)
{
    struct statement *list = database_statement(old->database, STATEMENT_LIST_EVER_MEMBERS);
    struct known member;
    enum store_result result = STORE_DONE;
    while (!*found && database_next_row(old->database, list, known_columns, &member, &result))
        result = find_in(candidate, STATEMENT_FIND_EVER_MEMBER, &member, found);
    sqlite3_reset(list->handle);
    return result;
}

enum store_result both_logbooks_compare(struct store *old, struct store *candidate,
                                        enum logbook_relation *relation)
{
    bool is_same = false;
    struct statement *read = database_statement(old->database, STATEMENT_READ_LOGBOOK);
    enum store_result result = database_step(old->database, read);
    if (result != STORE_DONE)
        return result;
    const bool has_members = database_read_integer(read, "has_members") != 0;
    result = store_has(candidate, &is_same, STATEMENT_FIND_LOGBOOK_IDENTITY,
                       BIND_BLOB("identity", database_read_blob(read, "identity"), UUID_BYTES));
    sqlite3_reset(read->handle);
    if (!is_same)
        THEN(result, find_shared(old, candidate, &is_same));
    if (result == STORE_DONE)
        *relation = is_same ? RELATION_SAME : has_members ? RELATION_NONE : RELATION_EMPTY;
    return result;
}

static enum store_result end_claiming(struct store *store, int64_t member_id)
{
    return store_set_claiming(store, member_id, false);
}

/* The kinds of object that can be removed from the old logbook. For each kind: the statement that
 * lists the removed objects, the statement that finds an object in the candidate, and the function
 * that removes the object there. Members come first, because the number of deleted members is
 * reported. */
static const struct ending {
    enum statement_name list, find;
    enum store_result (*end)(struct store *store, int64_t id);
} endings[] = {{STATEMENT_LIST_DELETED_MEMBERS, STATEMENT_FIND_DELETED_MEMBER, store_delete_member},
               {STATEMENT_LIST_ALL_REMOVED_PEERS, STATEMENT_FIND_KEPT_PEER, store_remove_peer},
               {STATEMENT_LIST_ALL_WITHOUT_CLAIMS, STATEMENT_FIND_DELETED_MEMBER, end_claiming}};

static enum store_result follow(const struct ending *ending, struct store *old,
                                struct store *candidate, int64_t *count)
{
    struct statement *list = database_statement(old->database, ending->list);
    struct known known;
    enum store_result result = STORE_DONE;
    while (database_next_row(old->database, list, known_columns, &known, &result)) {
        bool found = false;
        result = find_in(candidate, ending->find, &known, &found);
        *count += found;
        if (found)
            THEN(result, ending->end(candidate, known.id));
    }
    return result;
}

enum store_result both_logbooks_apply_endings(struct store *old, struct store *candidate,
                                              int64_t *deleted)
{
    int64_t others = 0;
    enum store_result result = STORE_DONE;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        THEN(result, follow(&endings[i], old, candidate, i == 0 ? deleted : &others));
    return result;
}
