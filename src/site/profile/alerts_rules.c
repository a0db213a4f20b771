/* Stores a member's rules for alerts. */
#include "json/append.h"
#include "json/write.h"
#include "json/write_object.h"
#include "qso/fields.h"
#include "site/profile/alerts.h"
#include "site/profile/profile.h"
#include "site/profile/routes.h"

const char *const alerts_subjects[] = {"CALLSIGNS", "MEMBER",  "DIVISION",
                                       "SQUARE",    "SPECIAL", NULL};
const char *const alerts_needs[] = {"ANY", "BAND", "MODE", NULL};
const char *const alerts_sources[] = {"ANY", "HERE", "NETWORK", NULL};

static struct text word_of(const char *const *words, int64_t index)
{
    if (index < 0)
        return (struct text){0};
    return text_of(words[index]);
}

static void write_rule(void *context, const struct alert_rule *rule)
{
    struct exchange *exchange = context;
    struct buffer *body = exchange->body;
    json_begin_item(body);
    json_write_fields(body, json_number("number", rule->id), json_text("name", rule->name),
                      json_text("subject", word_of(alerts_subjects, rule->subject)));
    json_begin_array(body, "callsigns");
    struct text rest = rule->callsigns;
    while (rest.bytes) {
        const struct text callsign = text_split_next(&rest, ' ');
        json_write_element(body);
        json_append_string(body, callsign.bytes, callsign.length);
    }
    buffer_append(body, "]", 1);
    json_write_fields(body, json_text("need", word_of(alerts_needs, rule->need)),
                      json_text("source", word_of(alerts_sources, rule->source)),
                      json_text("band", word_of(fields[FIELD_BAND].choices, rule->band)),
                      json_text("mode", word_of(fields[FIELD_MODE].choices, rule->mode)));
    alerts_write_number(exchange, "from", rule->from_minute);
    alerts_write_number(exchange, "to", rule->to_minute);
    json_write_fields(body, json_integer("days", rule->days), json_integer("pause", rule->pause),
                      json_flag("isOn", rule->is_on));
    buffer_append(body, "}", 1);
}

enum store_result alerts_write_rules(struct exchange *exchange)
{
    json_begin_array(exchange->body, "rules");
    enum store_result result =
        store_list_alert_rules(exchange->store, exchange->member.id, write_rule, exchange);
    buffer_append(exchange->body, "]", 1);
    json_write_integer(exchange->body, "maxRules", ALERT_RULES_MAX);
    return result;
}

/* Appends a callsign to the list. A callsign with a space stays one callsign. */
static void add_callsign(void *context, struct text name, const struct json_value *value)
{
    struct buffer *list = context;
    if (list->length > 0)
        buffer_append(list, " ", 1);
    for (size_t i = 0; value->kind == JSON_STRING && i < value->text.length; i++)
        if (value->text.bytes[i] != ' ')
            buffer_append(list, value->text.bytes + i, 1);
    (void)name;
}

static struct text read_callsigns(struct exchange *exchange)
{
    struct buffer list = {0};
    struct text text = {0};
    if (json_each_item(exchange->sent, "callsigns", add_callsign, &list) && list.length > 0)
        text = (struct text){arena_copy(exchange->arena, list.bytes, list.length), list.length};
    buffer_free(&list);
    return text;
}

const struct error *alerts_read_rule(struct exchange *exchange, struct alert_rule *rule)
{
    *rule = (struct alert_rule){.name = text_trim(json_read_text(exchange->sent, "name")),
                                .subject = -1,
                                .band = -1,
                                .mode = -1,
                                .from_minute = -1,
                                .to_minute = -1,
                                .days = ALERT_ALL_DAYS,
                                .pause = ALERT_PAUSE_DEFAULT};
    TRY(alerts_read_word(exchange, "subject", alerts_subjects, &rule->subject));
    TRY(alerts_read_word(exchange, "need", alerts_needs, &rule->need));
    TRY(alerts_read_word(exchange, "source", alerts_sources, &rule->source));
    TRY(alerts_read_word(exchange, "band", fields[FIELD_BAND].choices, &rule->band));
    TRY(alerts_read_word(exchange, "mode", fields[FIELD_MODE].choices, &rule->mode));
    TRY(alerts_read_number(exchange, "from", &rule->from_minute));
    TRY(alerts_read_number(exchange, "to", &rule->to_minute));
    TRY(alerts_read_number(exchange, "days", &rule->days));
    TRY(alerts_read_number(exchange, "pause", &rule->pause));
    TRY(profile_read_flag(exchange, "isOn", &rule->is_on));
    if (rule->subject == ALERT_CALLSIGNS)
        rule->callsigns = read_callsigns(exchange);
    const char *invalid = alert_find_invalid_rule(rule);
    return invalid ? input_refuse(exchange, invalid, "is not valid") : NULL;
}

static const struct error *answer_save(struct exchange *exchange)
{
    struct alert_rule rule;
    int64_t id;
    TRY(alerts_read_rule(exchange, &rule));
    rule.id = exchange->route == &route_profile_alert ? exchange->number : 0;
    return alerts_store_error(
        store_save_alert_rule(exchange->store, exchange->member.id, &rule, &id));
}

static const struct error *answer_switch(struct exchange *exchange)
{
    bool on;
    TRY(profile_read_flag(exchange, "on", &on));
    return alerts_store_error(
        store_switch_alert_rule(exchange->store, exchange->member.id, exchange->number, on));
}

static const struct error *answer_delete(struct exchange *exchange)
{
    return alerts_store_error(
        store_delete_alert_rule(exchange->store, exchange->member.id, exchange->number));
}

PROFILE_ROUTE(profile_add_alert, METHOD_POST, "alerts", 204, answer_save,
              .body = &body_small_object);
PROFILE_ROUTE(profile_alert, METHOD_POST, "alerts/{number}", 204, answer_save,
              .body = &body_small_object);
PROFILE_ROUTE(profile_switch_alert, METHOD_POST, "alerts/{number}/on", 204, answer_switch,
              .body = &body_small_object);
PROFILE_ROUTE(profile_remove_alert, METHOD_DELETE, "alerts/{number}", 204, answer_delete);
