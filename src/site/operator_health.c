/* GET /operator/data/health: the state of the logbook in the words of the commands status and
 * doctor, and what was refused lately. The doctor's checks that a worker can make run here, on the
 * worker's own logbook; those of files, workers and units need a shell. */
#include "doctor/doctor.h"
#include "json/write.h"
#include "site/operator.h"
#include "store/refusals.h"
#include "worker/worker.h"

#define REFUSALS_MAX 50

static void write_facts(struct buffer *body, const struct facts *facts)
{
    struct buffer value = {0};
    json_write_name(body, "facts");
    buffer_append(body, "[", 1);
    for (int i = 0; i < facts->count; i++) {
        const struct fact *fact = &facts->rows[i];
        buffer_clear(&value);
        facts_append_value(&value, fact);
        json_write_element(body);
        buffer_append(body, "{", 1);
        json_write_text(body, "label", text_of(fact->label));
        json_write_text(body, "value", (struct text){value.bytes, value.length});
        buffer_append(body, "}", 1);
    }
    buffer_append(body, "]", 1);
    buffer_free(&value);
}

static void write_findings(struct exchange *exchange, const char *database)
{
    struct doctor doctor = {.arena = exchange->arena,
                            .database = database,
                            .store = exchange->store,
                            .is_worker = true};
    doctor_examine_as_worker(&doctor);
    json_write_name(&exchange->response->body, "doctor");
    doctor_append_findings(&doctor, true, &exchange->response->body);
}

static void add_count(void *context, const char *code, int64_t count)
{
    struct buffer *body = context;
    if (count == 0)
        return;
    json_write_element(body);
    buffer_append(body, "{", 1);
    json_write_text(body, "code", text_of(code ? code : "OTHER"));
    json_write_integer(body, "count", count);
    buffer_append(body, "}", 1);
}

static void add_refusal(void *context, struct text callsign, struct text key,
                        const struct refusal *refusal)
{
    struct buffer *body = context;
    json_write_element(body);
    buffer_append(body, "{", 1);
    json_write_text(body, "callsign", callsign);
    json_write_text(body, "key", key);
    json_write_time(body, "at", refusal->refused_at_ms);
    json_write_text(body, "code", refusal->code);
    json_write_text(body, "field", refusal->field);
    json_write_integer(body, "count", refusal->entries);
    buffer_append(body, "}", 1);
}

static const struct error *answer(struct exchange *exchange)
{
    struct buffer *body = &exchange->response->body;
    const char *database = worker_setting_text(exchange->request, SETTING_DB);
    struct facts facts;
    enum store_result result = facts_read(exchange->store, database, exchange->arena, &facts);
    if (result != STORE_DONE)
        return profile_store_error(result);
    buffer_append(body, "{", 1);
    write_facts(body, &facts);
    write_findings(exchange, database);
    json_write_name(body, "refused");
    buffer_append(body, "[", 1);
    store_list_rejection_counts(exchange->store, add_count, body);
    buffer_append_string(body, "],\"refusals\":[");
    result = store_list_key_refusals(exchange->store, REFUSALS_MAX, add_refusal, body);
    buffer_append_string(body, "]}");
    return profile_store_error(result);
}

OPERATOR_ROUTE(operator_health, METHOD_GET, "health", USES_SNAPSHOT, 200, answer);
