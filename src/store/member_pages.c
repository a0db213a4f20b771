/* Lists members for the operator's page: in pages, because there may be thousands, with what shows
 * whether somebody uses the service. Members are changed in members.c; their sessions and links are
 * kept in sessions.c. */
#include "store/member_pages.h"

#include "base/datetime.h"
#include "qso/match.h"
#include "store/credentials.h"
#include "store/store.h"

const char *store_member_group_name(enum member_group group)
{
    static const char *const names[MEMBER_GROUPS] = {
        [MEMBERS_ALL] = "all",
        [MEMBERS_UNUSED] = "unused",
        [MEMBERS_DISABLED] = "disabled",
        [MEMBERS_OPERATORS] = "operators",
    };
    return names[group];
}

static void bind_search(struct statement *list, const struct member_search *search,
                        struct match_callsign *part, struct match_callsign *after)
{
    match_normalise_callsign(search->part, part);
    match_normalise_callsign(search->after, after);
    database_bind_null(list, ":part");
    if (part->length > 0)
        database_bind_text(list, ":part", (struct text){part->bytes, part->length});
    database_bind_text(list, ":after", (struct text){after->bytes, after->length});
    database_bind_integer(list, ":after_id", search->after_id);
    database_bind_integer(list, ":group", search->group);
}

enum store_result store_search_members(struct store *store, const struct member_search *search,
                                       int64_t limit, int64_t now_ms, member_row_visitor *visit,
                                       void *context)
{
    struct statement *list = database_statement(store->database, STATEMENT_SEARCH_MEMBERS);
    struct match_callsign part, after;
    enum store_result result = STORE_DONE;
    bind_search(list, search, &part, &after);
    database_bind_integer(list, ":first_day", now_ms / DATETIME_DAY_MS - SESSION_DAYS);
    database_bind_integer(list, ":now", now_ms);
    database_bind_integer(list, ":limit", limit);
    while (database_next(store->database, list, &result)) {
        struct member_row row = {
            .invitation_until_ms = database_read_integer(list, "invitation_until"),
        };
        members_read_row(list, &row.member);
        visit(context, &row);
    }
    return result;
}

enum store_result store_find_member_by_number(struct store *store, struct arena *arena,
                                              int64_t number, struct member *out)
{
    struct statement *find = database_statement(store->database, STATEMENT_FIND_MEMBER_BY_NUMBER);
    database_bind_integer(find, ":id", number);
    return members_find_row(store, find, arena, out);
}
