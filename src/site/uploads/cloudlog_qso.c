/* POST /cloudlog/api/qso: ADIF records become QSOs, by the rules for an imported file. A bad record
 * does not stop the good records. A repeated record receives the same answer as a new record,
 * because clients stop their whole upload at any other answer. */
#include <string.h>

#include "base/api_key.h"
#include "json/append.h"
#include "json/read.h"
#include "json/write.h"
#include "json/write_object.h"
#include "site/uploads/body.h"
#include "site/uploads/cloudlog.h"
#include "site/uploads/routes.h"
#include "site/uploads/uploads.h"
#include "worker/body.h"

#define DRY_RUN_SEGMENT 3 /* /cloudlog/api/qso/{dryRun} */
#define MESSAGES_MAX 50   /* maximum number of reasons, and of kept values, per answer */

static void add_message(struct exchange *exchange, const char *message)
{
    json_write_element(exchange->body);
    json_append_string(exchange->body, message, strlen(message));
}

static void begin_answer(struct exchange *exchange, const char *status, const char *message,
                         int64_t count, int64_t bad)
{
    buffer_append(exchange->body, "{", 1);
    json_write_fields(exchange->body, json_text("status", text_of(status)),
                      json_text("type", text_of("adif")), json_text("string", text_of("")),
                      json_integer("adif_count", count), json_integer("adif_errors", bad));
    json_begin_array(exchange->body, "messages");
    add_message(exchange, message);
}

static const struct error *abort_upload(struct exchange *exchange, const char *message)
{
    exchange->status = 400;
    begin_answer(exchange, "abort", "", 0, 0);
    add_message(exchange, message);
    buffer_append_string(exchange->body, "]}");
    return &route_answered;
}

static void add_reason(struct exchange *exchange, const struct report_reason *reason)
{
    int64_t shown = report_cases_kept(reason);
    const char *notice =
        reason->notice == NOTICE_REFUSED
            ? ""
            : arena_print(exchange->arena, "%s: ", report_notice_name(reason->notice));
    for (int64_t i = 0; i < shown; i++) {
        const struct report_case *one = &reason->first[i];
        add_message(exchange,
                    arena_print(exchange->arena, "%sline %lld: %.*s%s%s", notice,
                                (long long)one->line, (int)one->field.length, one->field.bytes,
                                one->field.length ? " " : "", reason->text));
    }
    if (reason->count > shown)
        add_message(exchange, arena_print(exchange->arena, "%s%lld more: %s", notice,
                                          (long long)(reason->count - shown), reason->text));
}

/* Adds messages about stored values that differ from the records' values, and are kept. */
static void add_kept_values(struct exchange *exchange, const struct report *report)
{
    int shown = 0;
    for (const struct report_value *value = report->values; value && shown < MESSAGES_MAX;
         value = value->next)
        if (value->is_kept) {
            add_message(exchange,
                        arena_print(exchange->arena, "line %lld: %s %s", (long long)value->line,
                                    value->field, report_tell_value(value, exchange->arena)));
            shown++;
        }
    if (report->keeps > shown)
        add_message(exchange, arena_print(exchange->arena, "%lld more values are unchanged",
                                          (long long)(report->keeps - shown)));
}

static void answer_report(struct exchange *exchange, const struct report *report, bool dry_run)
{
    const struct report_counts *counts = &report->counts;
    int64_t good = counts->imported + counts->corrected + counts->completed + counts->unchanged +
                   counts->repeated;
    bool created = good > 0 || report->rejected == 0;
    int messages = 0;
    if (!created)
        exchange->status = 400;
    begin_answer(exchange, created ? "created" : "abort", created && dry_run ? "Dryrun works" : "",
                 good, report->rejected);
    for (const struct report_reason *reason = report->reasons; reason && messages < MESSAGES_MAX;
         reason = reason->next)
        if (created || reason->notice == NOTICE_REFUSED) {
            add_reason(exchange, reason);
            messages++;
        }
    add_kept_values(exchange, report);
    if (report->other_bands)
        add_message(exchange, arena_print(exchange->arena, "%lld on other bands: skipped",
                                          (long long)report->other_bands));
    buffer_append_string(exchange->body, "]}");
}

static const struct error *save(struct exchange *exchange, struct text adif, bool dry_run)
{
    struct report report;
    report_begin(&report, exchange->arena);
    enum store_result result = uploads_import(exchange, adif, dry_run, &report);
    if (result == STORE_DENIED)
        return cloudlog_refuse_token(exchange);
    if (result != STORE_DONE)
        return route_store_error(result);
    if (!report.found_adif)
        return abort_upload(exchange, "string contains no ADIF record");
    answer_report(exchange, &report, dry_run);
    return NULL;
}

/* Finds the member before the body is read to its end. All programs send the key before the ADIF,
 * so only the first BODY_UNKNOWN_MAX_BYTES are searched for the key. If a short body has no key and
 * is not JSON, the answer names that fault. */
static const struct error *find_member(struct exchange *exchange, struct text *token)
{
    struct text start;
    const char *message;
    TRY(body_read(exchange, &start));
    const bool has_key = upload_body_find_token(start, token);
    enum store_result result = uploads_identify(exchange, *token, API_KEY_TOKEN);
    if (result != STORE_NONE)
        return route_store_error(result);
    if (has_key || start.length == BODY_UNKNOWN_MAX_BYTES ||
        json_read_object(start, &exchange->route->body->json, exchange->arena, &message))
        return cloudlog_refuse_token(exchange);
    return abort_upload(exchange, message);
}

/* Saves the records; a dry run only checks them. Wavelog's test button appends /true to the path,
 * and Wavelog's own tests append /1. The path has no empty segments, because cloudlog_simplify_path
 * removes them. */
static const struct error *answer(struct exchange *exchange)
{
    const struct request *request = exchange->request;
    struct text word = request->segment_count > DRY_RUN_SEGMENT ? request->segments[DRY_RUN_SEGMENT]
                                                                : text_of("false");
    bool dry_run = !text_equals(word, text_of("0")) && !text_equals_ignoring_case(word, "false");
    struct upload_body body;
    struct text text, token;
    const char *message;
    TRY(find_member(exchange, &token));
    TRY(body_read(exchange, &text));
    if (!upload_body_parse(text, &exchange->route->body->json, exchange->arena, &body, &message))
        return abort_upload(exchange, message);
    if (!body.key.bytes || !text_equals(text_trim(body.key), token))
        return cloudlog_refuse_token(exchange);
    if (!body.type.bytes || !text_equals_ignoring_case(body.type, "adif"))
        return abort_upload(exchange, "type must be adif");
    if (!body.adif.bytes)
        return abort_upload(exchange, "string is missing");
    return save(exchange, body.adif, dry_run);
}

static const struct route_body qso_body = {
    .type = BODY_OF_ANY_TYPE, .bytes_max = REQUEST_BODY_MAX_BYTES, .json = {.items_max = 64}};

CLOUDLOG_ROUTE(upload_qso, METHOD_POST, "qso", USES_STORE, 201, answer, .body = &qso_body);
CLOUDLOG_ROUTE(upload_qso_dry, METHOD_POST, "qso/{dryRun}", USES_STORE, 201, answer,
               .body = &qso_body);
