/* Members: who has a log here. */
#include "store/database.h"

static void read_member(const struct statement *row, struct member *member)
{
    *member = (struct member){
        .id = database_read_integer(row, "id"),
        .callsign = database_read_text(row, "callsign"),
        .locator = database_read_text(row, "locator"),
        .login = database_read_text(row, "login"),
        .active = database_read_integer(row, "active") != 0,
        .created_at_ms = database_read_integer(row, "created_at"),
        .qso_count = database_read_integer(row, "qso_count"),
        .active_key_count = database_read_integer(row, "active_key_count"),
    };
}

enum store_result store_add_member(struct store *store, const struct member *member)
{
    int64_t stamp_ms;
    enum store_result result = store_begin_write(store, &stamp_ms);
    if (result != STORE_DONE)
        return result;
    struct statement *insert = database_statement(store, STATEMENT_INSERT_MEMBER);
    database_bind_text(insert, ":callsign", member->callsign);
    database_bind_text(insert, ":locator", member->locator);
    database_bind_text(insert, ":login", member->login);
    database_bind_integer(insert, ":created_at", stamp_ms);
    return store_finish(store, database_run(store, insert));
}

enum store_result store_find_member(struct store *store, struct arena *arena, struct text callsign,
                                    struct member *out)
{
    struct statement *find = database_statement(store, STATEMENT_FIND_MEMBER);
    database_bind_text(find, ":callsign", callsign);
    enum store_result result = database_step(store, find);
    if (result != STORE_DONE)
        return result;
    read_member(find, out);
    out->callsign.bytes = arena_copy(arena, out->callsign.bytes, out->callsign.length);
    out->locator.bytes = arena_copy(arena, out->locator.bytes, out->locator.length);
    out->login.bytes = arena_copy(arena, out->login.bytes, out->login.length);
    sqlite3_reset(find->handle);
    return STORE_DONE;
}

enum store_result store_list_members(struct store *store,
                                     void (*visit)(void *context, const struct member *member),
                                     void *context)
{
    struct statement *list = database_statement(store, STATEMENT_LIST_MEMBERS);
    struct member member;
    enum store_result result = STORE_DONE;
    while (database_next(store, list, &result)) {
        read_member(list, &member);
        visit(context, &member);
    }
    return result;
}

enum store_result store_set_member_active(struct store *store, int64_t member_id, bool active)
{
    int64_t stamp_ms;
    enum store_result result = store_begin_write(store, &stamp_ms);
    if (result != STORE_DONE)
        return result;
    struct statement *update = database_statement(store, STATEMENT_UPDATE_MEMBER_ACTIVE);
    database_bind_integer(update, ":id", member_id);
    database_bind_integer(update, ":active", active ? 1 : 0);
    return store_finish(store, database_run(store, update));
}
