/* Checks and stores the rules of members' alerts. The callsigns of a rule that is on are also rows
 * of alert_names, so that a spot finds its rules by an index. alert_match.c evaluates the rules. */
#include "store/alerts/alert_rules.h"

#include <string.h>

#include "base/text_utf8.h"
#include "base/text_visible.h"
#include "qso/fields.h"
#include "qso/match_callsign.h"
#include "store/store.h"
#include "store/transaction.h"

static bool is_within(int64_t value, int64_t first, int64_t end)
{
    return value >= first && value < end;
}

/* Normalises the next callsign of the list, and appends a * if the callsign is a prefix. Returns
 * false at the end of the list. */
static bool next_name(struct text *list, struct match_callsign *name)
{
    while (list->bytes) {
        struct text word = text_split_next(list, ' ');
        const bool is_prefix = word.length > 1 && word.bytes[word.length - 1] == '*';
        word.length -= is_prefix;
        match_normalise_callsign(word, name);
        if (name->length == 0)
            continue;
        if (is_prefix && name->length < MATCH_CALLSIGN_BYTES)
            name->bytes[name->length++] = '*';
        return true;
    }
    return false;
}

static bool are_callsigns(struct text callsigns)
{
    struct text rest = callsigns;
    struct match_callsign name;
    int count = 0;
    if (callsigns.length > ALERT_CALLSIGNS_MAX || text_has_control(callsigns) ||
        !text_is_utf8(callsigns.bytes, callsigns.length))
        return false;
    while (next_name(&rest, &name)) {
        const char *star = memchr(name.bytes, '*', name.length);
        if (++count > ALERT_CALLSIGNS_COUNT || text_count_code_points(match_text(&name)) > 20 ||
            (star && star + 1 != name.bytes + name.length))
            return false;
    }
    return count > 0;
}

static bool is_name(struct text name)
{
    return name.length > 0 && text_is_utf8(name.bytes, name.length) && !text_has_control(name) &&
           !text_has_invisible(name) && text_count_code_points(name) <= ALERT_NAME_MAX;
}

const char *alert_find_invalid_rule(const struct alert_rule *rule)
{
    const bool has_hours = rule->from_minute >= 0;
    if (!is_name(rule->name))
        return "name";
    if (!is_within(rule->subject, 0, ALERT_SUBJECTS))
        return "subject";
    if (rule->subject == ALERT_CALLSIGNS ? !are_callsigns(rule->callsigns)
                                         : rule->callsigns.bytes != NULL)
        return "callsigns";
    if (!is_within(rule->need, 0, ALERT_NEEDS))
        return "need";
    if (!is_within(rule->source, 0, ALERT_SOURCES))
        return "source";
    if (!is_within(rule->band, -1, BAND_COUNT))
        return "band";
    if (!is_within(rule->mode, -1, MODE_COUNT))
        return "mode";
    if (!is_within(rule->from_minute, -1, ALERT_DAY_MINUTES) ||
        (has_hours && rule->from_minute == rule->to_minute))
        return "from";
    if (!is_within(rule->to_minute, -1, ALERT_DAY_MINUTES) || (rule->to_minute >= 0) != has_hours)
        return "to";
    if (!is_within(rule->days, 1, ALERT_ALL_DAYS + 1))
        return "days";
    return is_within(rule->pause, 1, ALERT_PAUSE_MAX + 1) ? NULL : "pause";
}

static const struct read_column rule_columns[] =
    COLUMNS(COLUMN(alert_rule, id, "id"), COLUMN(alert_rule, name, "name"),
            COLUMN(alert_rule, subject, "subject"), COLUMN(alert_rule, callsigns, "callsigns"),
            COLUMN(alert_rule, need, "need"), COLUMN(alert_rule, source, "source"),
            COLUMN_OR(alert_rule, band, "band", -1), COLUMN_OR(alert_rule, mode, "mode", -1),
            COLUMN_OR(alert_rule, from_minute, "from_minute", -1),
            COLUMN_OR(alert_rule, to_minute, "to_minute", -1), COLUMN(alert_rule, days, "days"),
            COLUMN(alert_rule, pause, "pause"), COLUMN(alert_rule, is_on, "is_on"));
ROW_READER(rule_columns, STATEMENT_LIST_ALERT_RULES);

enum store_result store_list_alert_rules(struct store *store, int64_t member_id,
                                         alert_rule_visitor *visit, void *context)
{
    struct statement *list =
        store_with(store, STATEMENT_LIST_ALERT_RULES, BIND("member_id", member_id));
    enum store_result result = STORE_DONE;
    struct alert_rule rule;
    while (database_next_row(store->database, list, rule_columns, &rule, &result))
        visit(context, &rule);
    return result;
}

/* Replaces the names by which spots find the rule. A rule that is off has no names. */
static enum store_result write_names(struct store *store, int64_t id, struct text callsigns,
                                     bool is_on)
{
    struct match_callsign name;
    enum store_result result = store_run(store, STATEMENT_DELETE_ALERT_NAMES, BIND("rule_id", id));
    while (is_on && result == STORE_DONE && next_name(&callsigns, &name))
        result = store_run(store, STATEMENT_INSERT_ALERT_NAME, BIND("name", match_text(&name)),
                           BIND("rule_id", id));
    return result;
}

#define BIND_RULE(rule)                                                                            \
    BIND("name", (rule)->name), BIND("subject", (rule)->subject),                                  \
        BIND("callsigns", (rule)->callsigns), BIND("need", (rule)->need),                          \
        BIND("source", (rule)->source), BIND_IF((rule)->band >= 0, "band", (rule)->band),          \
        BIND_IF((rule)->mode >= 0, "mode", (rule)->mode),                                          \
        BIND_IF((rule)->from_minute >= 0, "from_minute", (rule)->from_minute),                     \
        BIND_IF((rule)->to_minute >= 0, "to_minute", (rule)->to_minute),                           \
        BIND("days", (rule)->days), BIND("pause", (rule)->pause), BIND("is_on", (rule)->is_on)

enum store_result store_save_alert_rule(struct store *store, int64_t member_id,
                                        const struct alert_rule *rule, int64_t *id)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    if (rule->id) {
        THEN(result, store_change(store, STATEMENT_UPDATE_ALERT_RULE, BIND("id", rule->id),
                                  BIND("member_id", member_id), BIND_RULE(rule)));
        *id = rule->id;
    } else if (result == STORE_DONE) {
        result = store_change(store, STATEMENT_INSERT_ALERT_RULE, BIND("member_id", member_id),
                              BIND("most", ALERT_RULES_MAX), BIND_RULE(rule));
        result = result == STORE_NONE ? STORE_REFUSED : result;
        *id = sqlite3_last_insert_rowid(store->database->handle);
    }
    THEN(result, write_names(store, *id, rule->callsigns, rule->is_on));
    return store_finish(&transaction, result);
}

enum store_result store_switch_alert_rule(struct store *store, int64_t member_id, int64_t id,
                                          bool is_on)
{
    struct transaction transaction;
    struct arena arena = {0};
    struct alert_rule rule = {0};
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, store_change(store, STATEMENT_SWITCH_ALERT_RULE, BIND("id", id),
                              BIND("member_id", member_id), BIND("is_on", is_on)));
    THEN(result,
         store_find(store, rule_columns, &arena, &rule, STATEMENT_FIND_ALERT_RULE, BIND("id", id)));
    THEN(result, write_names(store, id, rule.callsigns, is_on));
    arena_free(&arena);
    return store_finish(&transaction, result);
}

enum store_result store_delete_alert_rule(struct store *store, int64_t member_id, int64_t id)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, store_change(store, STATEMENT_DELETE_ALERT_RULE, BIND("id", id),
                              BIND("member_id", member_id)));
    return store_finish(&transaction, result);
}
