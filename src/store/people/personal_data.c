/* Lists the data that is held about a member, as JSON that SQLite builds
 * (schema/statements/held.sql). src/transfer decides the order of the lists, and adds all data that
 * grows with a log. */
#include "store/people/personal_data.h"

#include "base/datetime.h"
#include "store/credentials.h"
#include "store/store.h"

static const enum statement_name lists[] = {
    [HELD_SPOTS] = STATEMENT_LIST_HELD_SPOTS,
    [HELD_KEYS] = STATEMENT_LIST_HELD_KEYS,
    [HELD_TOKENS] = STATEMENT_LIST_HELD_TOKENS,
    [HELD_SESSIONS] = STATEMENT_LIST_HELD_SESSIONS,
    [HELD_LINKS] = STATEMENT_LIST_HELD_LINKS,
    [HELD_PASSKEYS] = STATEMENT_LIST_HELD_PASSKEYS,
    [HELD_GRANTS] = STATEMENT_LIST_HELD_GRANTS,
    [HELD_MAKERS] = STATEMENT_LIST_HELD_MAKERS,
    [HELD_CALLSIGNS] = STATEMENT_LIST_HELD_CALLSIGNS,
    [HELD_PROGRAM_IDS] = STATEMENT_LIST_HELD_PROGRAM_IDS,
    [HELD_RECORDS] = STATEMENT_LIST_HELD_RECORDS,
    [HELD_POLO_RECORDS] = STATEMENT_LIST_HELD_POLO_RECORDS,
    [HELD_ALERT_RULES] = STATEMENT_LIST_HELD_ALERT_RULES,
    [HELD_ALERT_WAYS] = STATEMENT_LIST_HELD_ALERT_WAYS,
    [HELD_ALERT_SETTINGS] = STATEMENT_LIST_HELD_ALERT_SETTINGS,
    [HELD_ALERT_MUTES] = STATEMENT_LIST_HELD_ALERT_MUTES,
    [HELD_ALERTS] = STATEMENT_LIST_HELD_ALERTS,
    [HELD_CONFIRMATIONS] = STATEMENT_LIST_HELD_CONFIRMATIONS,
};

/* Binds the parameter if the list has a parameter with this name. */
static void bind_if_there(struct statement *list, const char *name, int64_t value)
{
    sqlite3_bind_int64(list->handle, sqlite3_bind_parameter_index(list->handle, name), value);
}

enum store_result store_list_held(struct store *store, enum held what, int64_t member_id,
                                  int64_t now_ms, held_visitor *visit, void *context)
{
    struct statement *list = store_with(store, lists[what], BIND("member_id", member_id));
    enum store_result result = STORE_DONE;
    bind_if_there(list, ":now", now_ms);
    bind_if_there(list, ":first_day", now_ms / DATETIME_DAY_MS - SESSION_DAYS);
    while (database_next(store->database, list, &result))
        visit(context, database_read_text(list, "item"));
    return result;
}
