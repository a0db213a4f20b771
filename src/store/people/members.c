/* Adds, finds, lists and renames members. Everybody who has a log is a member. member_deletion.c
 * deletes members, and src/qso/match_callsign.c decides which callsigns count as the same. */
#include "store/people/members.h"

#include <string.h>

#include "base/clock.h"
#include "base/datetime.h"
#include "base/letters.h"
#include "base/text_utf8.h"
#include "base/text_visible.h"
#include "qso/match.h"
#include "qso/match_callsign.h"
#include "store/credentials.h"
#include "store/operator_log.h"
#include "store/people/reviews.h"
#include "store/people/sessions.h"
#include "store/store.h"
#include "store/transaction.h"

#define UPPER_GROWTH 4 /* maximum factor by which a text grows in upper case */

static const struct read_column member_columns[] = COLUMNS(
    COLUMN(member, id, "id"), COLUMN(member, callsign, "callsign"),
    COLUMN(member, locator, "locator"), COLUMN(member, login, "login"),
    COLUMN(member, active, "active"), COLUMN(member, is_operator, "is_operator"),
    COLUMN(member, is_station, "is_station"), COLUMN(member, created_at_ms, "created_at"),
    COLUMN(member, qso_count, "qso_count"), COLUMN(member, active_key_count, "active_key_count"),
    COLUMN(member, session_count, "session_count"), COLUMN(member, has_password, "has_password"),
    COLUMN(member, claims, "claims"), COLUMN(member, has_page, "log_page"),
    COLUMN(member, channel_plan, "channel_plan"),
    COLUMN(member, announces_since_ms, "announces_since"),
    COLUMN_OR(member, last_used_day, "last_used_day", -1));

bool member_read_callsign(struct arena *arena, struct text written, struct text *callsign)
{
    struct text trimmed = text_trim(written);
    bool clean = text_is_utf8(trimmed.bytes, trimmed.length) && !text_has_control(trimmed) &&
                 !text_has_invisible(trimmed);
    const size_t space = UPPER_GROWTH * MATCH_CALLSIGN_BYTES;
    if (!clean || trimmed.length > MATCH_CALLSIGN_BYTES)
        return false;
    char *upper = arena_allocate_zeroed(arena, space + 1);
    *callsign = (struct text){upper, letters_to_upper(trimmed, upper, space)};
    const size_t length = text_count_code_points(*callsign);
    return length > 0 && length <= MEMBER_CALLSIGN_MAX;
}

struct text member_default_login(struct arena *arena, struct text callsign)
{
    return letters_to_lower(callsign, arena);
}

enum store_result store_insert_member(struct transaction *transaction, const struct member *member)
{
    struct store *store = transaction->store;
    struct match_callsign key;
    enum store_result result =
        store_run(store, STATEMENT_INSERT_MEMBER, BIND("callsign", member->callsign),
                  BIND("callsign_unicode", match_find_unicode_key(member->callsign, &key)),
                  BIND("locator", member->locator), BIND("login", member->login),
                  BIND("is_operator", member->is_operator), BIND("is_station", member->is_station),
                  BIND("created_at", transaction->written_at_ms));
    return THEN(result, operator_log_note_member(
                            transaction, member->is_station ? "station add" : "member add",
                            sqlite3_last_insert_rowid(store->database->handle), "locator %.*s%s",
                            (int)member->locator.length, member->locator.bytes,
                            member->is_operator ? ", operator on" : ""));
}

enum store_result store_add_member(struct store *store, const struct member *member)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, store_insert_member(&transaction, member));
    return reviews_finish(&transaction, result);
}

enum store_result store_find_member(struct store *store, struct arena *arena, struct text callsign,
                                    struct member *out)
{
    return store_find(store, member_columns, arena, out, STATEMENT_FIND_MEMBER,
                      BIND("callsign", callsign), BIND("now", clock_wall_ms()));
}

enum store_result store_find_similar_member(struct store *store, struct arena *arena,
                                            struct text callsign, struct member *out)
{
    struct match_callsign key;
    match_normalise_callsign(callsign, &key);
    return store_find(store, member_columns, arena, out, STATEMENT_FIND_SIMILAR_MEMBER,
                      BIND("callsign", match_text(&key)), BIND("now", clock_wall_ms()));
}

enum store_result store_find_member_by_number(struct store *store, struct arena *arena,
                                              int64_t number, struct member *out)
{
    return store_find(store, member_columns, arena, out, STATEMENT_FIND_MEMBER_BY_NUMBER,
                      BIND("id", number));
}

enum store_result store_find_active_member(struct store *store, struct arena *arena, int64_t number,
                                           struct member *out)
{
    enum store_result result = store_find_member_by_number(store, arena, number, out);
    return result == STORE_DONE && !out->active ? STORE_NONE : result;
}

ROW_READER(member_columns, STATEMENT_LIST_MEMBERS);
ROW_READER(member_columns, STATEMENT_LIST_STATIONS);
ROW_READER(member_columns, STATEMENT_SEARCH_MEMBERS);
ROW_READER(member_columns, STATEMENT_SEARCH_MEMBERS_BY_USE);

static enum store_result visit_members(struct store *store, enum statement_name name,
                                       member_visitor *visit, void *context)
{
    struct statement *list = store_with(store, name, BIND("now", clock_wall_ms()));
    struct member member;
    enum store_result result = STORE_DONE;
    while (database_next_row(store->database, list, member_columns, &member, &result))
        visit(context, &member);
    return result;
}

enum store_result store_list_members(struct store *store, member_visitor *visit, void *context)
{
    return visit_members(store, STATEMENT_LIST_MEMBERS, visit, context);
}

enum store_result store_list_stations(struct store *store, member_visitor *visit, void *context)
{
    return visit_members(store, STATEMENT_LIST_STATIONS, visit, context);
}

/* Returns STORE_REFUSED if a signed-in operator would leave the club without an active operator. */
static enum store_result check_operators(struct store *store, int64_t member_id)
{
    bool is_last = false;
    if (!store->acts_as_operator || !store->operator_callsign.bytes)
        return STORE_DONE;
    enum store_result result =
        store_has(store, &is_last, STATEMENT_FIND_LAST_OPERATOR, BIND("id", member_id));
    return is_last ? STORE_REFUSED : result;
}

/* Sets a flag of the member. Returns STORE_NONE if the flag already has this value. */
static enum store_result set_flag(struct store *store, enum statement_name name, int64_t member_id,
                                  bool on)
{
    enum store_result result = on ? STORE_DONE : check_operators(store, member_id);
    return THEN(result, store_change(store, name, BIND("id", member_id), BIND("on", on)));
}

enum store_result store_set_member_active(struct store *store, int64_t member_id, bool active)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    if (!active)
        THEN(result, sessions_end(&transaction, member_id, 0, LINK_INVITATION));
    THEN(result, set_flag(store, STATEMENT_UPDATE_MEMBER_ACTIVE, member_id, active));
    THEN(result, operator_log_note_member(&transaction, active ? "member enable" : "member disable",
                                          member_id, NULL));
    return reviews_finish(&transaction, result == STORE_NONE ? STORE_DONE : result);
}

enum store_result store_set_operator(struct store *store, int64_t member_id, bool is_operator)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, set_flag(store, STATEMENT_UPDATE_MEMBER_OPERATOR, member_id, is_operator));
    THEN(result, operator_log_note_member(&transaction, "member set", member_id, "operator %s",
                                          is_operator ? "on" : "off"));
    return store_finish(&transaction, result == STORE_NONE ? STORE_DONE : result);
}

enum store_result store_set_member(struct store *store, int64_t member_id, struct text locator,
                                   struct text login)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, store_run(store, STATEMENT_UPDATE_MEMBER, BIND("id", member_id),
                           BIND("locator", locator), BIND("login", login)));
    THEN(result, operator_log_note_member(&transaction, "member set", member_id, "%s%.*s%s%s%.*s",
                                          locator.bytes ? "locator " : "", (int)locator.length,
                                          locator.bytes ? locator.bytes : "",
                                          locator.bytes && login.bytes ? ", " : "",
                                          login.bytes ? "login " : "", (int)login.length,
                                          login.bytes ? login.bytes : ""));
    return store_finish(&transaction, result);
}

enum store_result store_set_channel_plan(struct store *store, int64_t member_id, struct text plan)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, store_run(store, STATEMENT_UPDATE_CHANNEL_PLAN, BIND("id", member_id),
                           BIND("channel_plan", plan)));
    THEN(result, operator_log_note_member(&transaction, "member set", member_id,
                                          "channel plan %.*s", plan.bytes ? (int)plan.length : 1,
                                          plan.bytes ? plan.bytes : "-"));
    return store_finish(&transaction, result);
}

enum store_result store_rename_member(struct store *store, int64_t member_id, struct text callsign)
{
    struct transaction transaction;
    struct arena arena = {0};
    struct match_callsign key;
    struct member member = {0};
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, operator_log_note_member(&transaction, "member rename", member_id, "%.*s",
                                          (int)callsign.length, callsign.bytes));
    THEN(result, store_run(store, STATEMENT_INSERT_FORMER_CALLSIGN, BIND("id", member_id)));
    THEN(result, store_find_member_by_number(store, &arena, member_id, &member));
    THEN(result, store_run(store, STATEMENT_UPDATE_MEMBER_CALLSIGN, BIND("id", member_id),
                           BIND("callsign", callsign),
                           BIND("callsign_unicode", match_find_unicode_key(callsign, &key)),
                           BIND("old_login", member_default_login(&arena, member.callsign)),
                           BIND("new_login", member_default_login(&arena, callsign))));
    arena_free(&arena);
    return reviews_finish(&transaction, result);
}

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

enum store_result store_search_members(struct store *store, const struct member_search *search,
                                       int64_t limit, int64_t now_ms, member_row_visitor *visit,
                                       void *context)
{
    struct match_callsign part, after;
    struct member_row row;
    enum store_result result = STORE_DONE;
    match_normalise_callsign(search->part, &part);
    match_normalise_callsign(search->after, &after);
    const struct text wanted = part.length > 0 ? match_text(&part) : (struct text){0};
    const int64_t first_day = now_ms / DATETIME_DAY_MS - SESSION_DAYS;
    struct statement *list =
        search->is_by_use
            ? store_with(store, STATEMENT_SEARCH_MEMBERS_BY_USE, BIND("part", wanted),
                         BIND("after", match_text(&after)), BIND("after_id", search->after_id),
                         BIND("after_day", search->after_day), BIND("group", search->group),
                         BIND("first_day", first_day), BIND("limit", limit))
            : store_with(store, STATEMENT_SEARCH_MEMBERS, BIND("part", wanted),
                         BIND("after", match_text(&after)), BIND("after_id", search->after_id),
                         BIND("group", search->group), BIND("first_day", first_day),
                         BIND("limit", limit));
    while (database_next_row(store->database, list, member_columns, &row.member, &result)) {
        const int64_t until_ms = database_read_integer(list, "invitation_until");
        row.invitation_until_ms = until_ms > now_ms ? until_ms : 0;
        row.invitation_expired_ms = until_ms > now_ms ? 0 : until_ms;
        visit(context, &row);
    }
    return result;
}

enum store_result store_count_members_by_use(struct store *store, int64_t since_day,
                                             int64_t *members, int64_t *used)
{
    struct counts {
        int64_t members, used;
    } counts = {0};
    static const struct read_column use_columns[] =
        COLUMNS(COLUMN(counts, members, "members"), COLUMN(counts, used, "used"));
    enum store_result result =
        store_find(store, use_columns, NULL, &counts, STATEMENT_COUNT_MEMBERS_BY_USE,
                   BIND("since_day", since_day));
    *members = counts.members;
    *used = counts.used;
    return result;
}

#define SLOTS_PER_WEEK (7 * DATETIME_DAY_MS / MATCH_SLOT_MS)

enum store_result store_count_weeks(struct store *store, int64_t member_id, int64_t now_ms,
                                    int64_t weeks[MEMBER_WEEKS])
{
    struct slot {
        int64_t slot, qsos;
    } found;
    static const struct read_column slot_columns[] =
        COLUMNS(COLUMN(slot, slot, "slot"), COLUMN(slot, qsos, "qsos"));
    ROW_READER(slot_columns, STATEMENT_LIST_SLOTS_OF_MEMBER);
    const int64_t first = match_slot(now_ms) + 1 - MEMBER_WEEKS * SLOTS_PER_WEEK;
    enum store_result result = STORE_DONE;
    struct statement *list = store_with(store, STATEMENT_LIST_SLOTS_OF_MEMBER,
                                        BIND("member_id", member_id), BIND("first_slot", first));
    memset(weeks, 0, MEMBER_WEEKS * sizeof *weeks);
    while (database_next_row(store->database, list, slot_columns, &found, &result)) {
        const int64_t week = (found.slot - first) / SLOTS_PER_WEEK;
        if (week < MEMBER_WEEKS)
            weeks[week] += found.qsos;
    }
    return result;
}
