/* GET /operator/data/health: the state of the logbook as the commands status and doctor report it,
 * the members' use of storage, and recent refusals. The worker runs the doctor's checks of the
 * logbook's content and of its disk. The other checks need a shell. */

#include "doctor/doctor.h"
#include "json/write.h"
#include "json/write_object.h"
#include "recovery/facts.h"
#include "site/operator/routes.h"
#include "store/log/rejection_counts.h"
#include "store/people/key_refusals.h"
#include "store/storage.h"
#include "worker/worker.h"

#define REFUSALS_MAX 50

static void write_facts(struct buffer *body, const struct facts *facts)
{
    struct buffer value = {0};
    json_begin_array(body, "facts");
    for (const struct fact *fact = facts_rows; fact->label; fact++) {
        buffer_clear(&value);
        facts_append_value(&value, facts, fact);
        json_write_item(body, json_text("label", text_of(fact->label)),
                        json_text("value", (struct text){value.bytes, value.length}));
    }
    buffer_append(body, "]", 1);
    buffer_free(&value);
}

static void write_findings(struct exchange *exchange, const char *database)
{
    struct doctor doctor = {.arena = exchange->arena,
                            .database = database,
                            .store = exchange->store,
                            .is_worker = true,
                            .as_json = true};
    doctor_examine_as_worker(&doctor);
    json_write_name(exchange->body, "doctor");
    doctor_append_findings(&doctor, exchange->body);
}

static void add_count(void *context, const char *code, int64_t count)
{
    if (count != 0)
        json_write_item(context, json_text("code", text_of(code ? code : "OTHER")),
                        json_integer("count", count));
}

static void add_refusal(void *context, struct text callsign, struct text key,
                        const struct refusal *refusal)
{
    json_write_item(context, json_text("callsign", callsign), json_text("key", key),
                    json_time("at", refusal->refused_at_ms), json_text("code", refusal->code),
                    json_text("field", refusal->field), json_integer("count", refusal->entries));
}

#define STORAGE_ROWS 20

static void add_storage(void *context, struct text callsign, const struct storage *storage)
{
    json_write_item(
        context, json_text("callsign", callsign), json_integer("history", storage->history),
        json_integer("extraFields", storage->leftovers), json_integer("polo", storage->polo),
        json_integer("cards", storage->cards), json_integer("knownRecords", storage->known),
        json_integer("bytes", storage_sum(storage)));
}

/* Writes the amounts of data that members have in addition to QSOs, for at most STORAGE_ROWS
 * members, the largest amount first. */
static const struct error *write_storage(struct exchange *exchange)
{
    json_write_integer(exchange->body, "storageMax", store_storage_max(exchange->store));
    json_begin_array(exchange->body, "storage");
    enum store_result result =
        store_list_storage(exchange->store, STORAGE_ROWS, add_storage, exchange->body);
    buffer_append(exchange->body, "]", 1);
    return profile_store_error(result);
}

static const struct error *answer(struct exchange *exchange)
{
    const char *database = worker_setting_text(exchange->request, SETTING_DB);
    struct facts facts;
    TRY(profile_store_error(facts_read(exchange->store, database, exchange->arena, &facts)));
    write_facts(exchange->body, &facts);
    write_findings(exchange, database);
    TRY(write_storage(exchange));
    json_begin_array(exchange->body, "refused");
    store_list_rejection_counts(exchange->store, add_count, exchange->body);
    buffer_append_string(exchange->body, "],\"refusals\":[");
    enum store_result result =
        store_list_key_refusals(exchange->store, REFUSALS_MAX, add_refusal, exchange->body);
    buffer_append(exchange->body, "]", 1);
    return profile_store_error(result);
}

OPERATOR_ROUTE(operator_health, METHOD_GET, "health", 200, answer);
