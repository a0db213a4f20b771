/* POST /profile/data/import: imports an ADIF file, slice by slice; a body has one slice. A dry run
 * finds the records that must be in one slice because they could describe the same QSO. All other
 * decisions are made per slice, so any worker can serve each slice. */
#include "json/write.h"
#include "json/write_object.h"
#include "site/profile/profile.h"
#include "site/profile/routes.h"
#include "transfer/import.h"

#define DETAILS_MAX 200

static void write_details(struct buffer *body, const struct report *report)
{
    int64_t written = 0, all = 0;
    json_begin_array(body, "details");
    for (const struct report_reason *reason = report->reasons; reason; reason = reason->next) {
        const int64_t kept = report_cases_kept(reason);
        all += reason->count;
        for (int64_t i = 0; i < kept && written < DETAILS_MAX; i++, written++) {
            const struct report_case *one = &reason->first[i];
            json_write_item(body, json_integer("line", one->line),
                            json_integer("record", one->record),
                            json_text("kind", text_of(report_notice_name(reason->notice))),
                            json_text("field", one->field.length ? one->field : (struct text){0}),
                            json_text("message", text_of(reason->text)));
        }
    }
    buffer_append(body, "]", 1);
    json_write_integer(body, "more", all - written);
    json_begin_array(body, "withoutPlace");
    for (const struct table_entry *name = report->names.first; name; name = name->next)
        json_write_item(body, json_text("field", name->key),
                        json_integer("count", *(const int64_t *)name->value));
    buffer_append(body, "]", 1);
}

static void write_keys(struct exchange *exchange, const struct buffer *keys)
{
    json_begin_array(exchange->body, "keys");
    buffer_append(exchange->body, keys->bytes, keys->length);
    buffer_append(exchange->body, "]", 1);
}

/* Reads the choice for the callsigns in the file. "keep" is the default; with "mine" the log's own
 * callsign replaces all other callsigns. */
static const struct error *read_stations(struct exchange *exchange, struct stations *stations)
{
    const struct text choice = json_read_text(exchange->sent, "stationCallsign");
    const bool replaces = text_equals(choice, text_of("mine"));
    if (choice.bytes && !replaces && !text_equals(choice, text_of("keep")))
        return input_refuse(exchange, "stationCallsign", "must be keep or mine");
    TRY(profile_store_error(stations_read(exchange->store, exchange->identity.member_id,
                                          exchange->request->arrived_ms, exchange->arena,
                                          stations)));
    if (replaces)
        stations->callsign = exchange->identity.callsign;
    return NULL;
}

static void write_stations(struct exchange *exchange, const struct stations *stations)
{
    json_begin_array(exchange->body, "otherStations");
    for (const struct table_entry *one = stations->found.first; one; one = one->next)
        json_write_item(exchange->body,
                        json_text("callsign", one->key.length ? one->key : (struct text){0}),
                        json_integer("count", *(const int64_t *)one->value));
    buffer_append(exchange->body, "]", 1);
    json_write_text(exchange->body, "callsign", exchange->identity.callsign);
}

static const struct error *answer_import(struct exchange *exchange)
{
    struct report report;
    struct stations stations;
    struct buffer keys = {0}, outcomes = {0};
    struct text adif;
    bool dry_run;
    TRY(profile_read_optional_flag(exchange, "dryRun", &dry_run));
    TRY(profile_read_list(exchange, "adif", &adif));
    TRY(read_stations(exchange, &stations));
    report_begin(&report, exchange->arena);
    struct import *import =
        import_create(exchange->store, &exchange->identity, dry_run, &report, exchange->arena);
    import_name_file(import, json_read_text(exchange->sent, "name"));
    import_set_program(import, json_read_text(exchange->sent, "program"));
    import_set_stations(import, &stations);
    import_tell_outcomes(import, &outcomes);
    if (dry_run)
        import_tell_keys(import, &keys);
    const struct error *error = profile_store_error(import_take(import, adif, NULL));
    if (!error) {
        report_write_counts(exchange->body, &report);
        report_write_values(exchange->body, &report);
        write_details(exchange->body, &report);
        json_write_text(exchange->body, "program", import_program(import));
        write_stations(exchange, &stations);
        json_write_text(exchange->body, "outcomes",
                        (struct text){outcomes.bytes ? outcomes.bytes : "", outcomes.length});
    }
    if (!error && dry_run)
        write_keys(exchange, &keys);
    buffer_free(&keys);
    buffer_free(&outcomes);
    return error;
}

static const struct route_body import_body = {.bytes_max = REQUEST_BODY_MAX_BYTES,
                                              .json = {.items_max = 16}};

PROFILE_ROUTE_OF_LOG(profile_import, METHOD_POST, "import", 200, answer_import,
                     .body = &import_body);
