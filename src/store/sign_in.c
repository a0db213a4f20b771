/* Finds who signs in: by callsign, in every spelling that confirmation takes for the same one, or
 * by login name. Whether the password is right is judged in src/base/password.c, after this; what
 * may follow, when a session is opened, in sessions.c. */
#include "qso/match.h"
#include "store/sessions.h"
#include "store/store.h"

static void keep_sign_in(const struct statement *row, struct arena *arena, struct sign_in *out)
{
    *out = (struct sign_in){
        .member_id = database_read_integer(row, "id"),
        .callsign = database_keep_text(row, "callsign", arena),
        .password_hash = database_keep_text(row, "password_hash", arena),
        .member_is_active = database_read_integer(row, "active") != 0,
    };
}

/* The one member, or the one of several whose own spelling it is. */
static enum store_result find_callsign(struct store *store, struct arena *arena, struct text name,
                                       struct sign_in *out)
{
    struct statement *list = database_statement(store->database, STATEMENT_LIST_SIGN_IN_CALLSIGNS);
    struct match_callsign callsign;
    const char *own = arena_copy(arena, name.bytes, name.length);
    enum store_result result = STORE_DONE;
    int count = 0;
    bool is_own = false;
    match_normalise_callsign(name, &callsign);
    if (callsign.length == 0 || name.length > MATCH_CALLSIGN_BYTES)
        return STORE_NONE;
    database_bind_text(list, ":callsign", (struct text){callsign.bytes, callsign.length});
    while (database_next(store->database, list, &result)) {
        bool here = text_equals_ignoring_case(database_read_text(list, "callsign"), own);
        if (here || !is_own)
            keep_sign_in(list, arena, out);
        is_own = is_own || here;
        count++;
    }
    if (result != STORE_DONE)
        return result;
    return count == 1 || is_own ? STORE_DONE : STORE_NONE;
}

/* The one row of a statement whose parameters are bound. */
static enum store_result find_one(struct store *store, struct statement *find, struct arena *arena,
                                  struct sign_in *out)
{
    enum store_result result = database_step(store->database, find);
    if (result == STORE_DONE)
        keep_sign_in(find, arena, out);
    sqlite3_reset(find->handle);
    return result;
}

enum store_result store_find_sign_in(struct store *store, struct arena *arena, struct text name,
                                     struct sign_in *out)
{
    name = text_trim(name);
    if (name.length == 0 || text_has_nul(name))
        return STORE_NONE;
    enum store_result result = find_callsign(store, arena, name, out);
    if (result != STORE_NONE)
        return result;
    struct statement *find = database_statement(store->database, STATEMENT_FIND_SIGN_IN_LOGIN);
    database_bind_text(find, ":login", name);
    return find_one(store, find, arena, out);
}

enum store_result store_find_member_sign_in(struct store *store, struct arena *arena,
                                            int64_t member_id, struct sign_in *out)
{
    struct statement *find = database_statement(store->database, STATEMENT_FIND_SIGN_IN);
    database_bind_integer(find, ":member_id", member_id);
    return find_one(store, find, arena, out);
}
