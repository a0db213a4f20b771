/* POST …/api/qso: records of ADIF become QSOs, by the same rules as a file that is imported. A bad
 * record does not keep the good ones out, and a repeated one is answered like a new one: clients
 * stop their whole upload at any other answer. */
#include <string.h>

#include "json/read.h"
#include "json/write.h"
#include "site/routes.h"
#include "site/upload_body.h"
#include "site/uploads.h"

#define DRY_RUN_SEGMENT 3 /* /cloudlog/api/qso/{dryRun} */
#define MESSAGES_MAX 50   /* reasons in an answer */

static void begin_answer(struct exchange *exchange, const char *status, const char *message,
                         int64_t count, int64_t bad)
{
    struct buffer *body = &exchange->response->body;
    buffer_append(body, "{", 1);
    json_write_text(body, "status", text_of(status));
    json_write_text(body, "type", text_of("adif"));
    json_write_text(body, "string", (struct text){"", 0});
    json_write_integer(body, "adif_count", count);
    json_write_integer(body, "adif_errors", bad);
    json_begin_array(body, "messages");
    json_append_string(body, message, strlen(message));
}

static void add_message(struct exchange *exchange, const char *message)
{
    json_write_element(&exchange->response->body);
    json_append_string(&exchange->response->body, message, strlen(message));
}

static void end_answer(struct exchange *exchange)
{
    buffer_append_string(&exchange->response->body, "]}");
}

static const struct error *abort_upload(struct exchange *exchange, const char *message)
{
    exchange->status = 400;
    begin_answer(exchange, "abort", "", 0, 0);
    add_message(exchange, message);
    end_answer(exchange);
    return NULL;
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

static void answer_report(struct exchange *exchange, const struct report *report, bool dry_run)
{
    int64_t good = report->imported + report->updated + report->unchanged;
    bool created = good > 0 || report->refused == 0;
    int messages = 0;
    if (!created)
        exchange->status = 400;
    begin_answer(exchange, created ? "created" : "abort", created && dry_run ? "Dryrun works" : "",
                 good, report->refused);
    for (const struct report_reason *reason = report->reasons; reason && messages < MESSAGES_MAX;
         reason = reason->next)
        if (created || reason->notice == NOTICE_REFUSED) {
            add_reason(exchange, reason);
            messages++;
        }
    if (report->other_bands)
        add_message(exchange, arena_print(exchange->arena, "%lld on other bands: skipped",
                                          (long long)report->other_bands));
    end_answer(exchange);
}

static const struct error *save(struct exchange *exchange, struct text adif, bool dry_run)
{
    const struct error *error = NULL;
    struct report report;
    bool found;
    report_begin(&report);
    enum store_result result = uploads_import(exchange, adif, dry_run, &report, &found);
    if (result == STORE_DENIED)
        error = uploads_refuse_token(exchange);
    else if (result != STORE_DONE)
        error = result == STORE_BUSY ? &error_busy : &error_internal;
    else if (!found)
        error = abort_upload(exchange, "there is no ADIF record in string");
    else
        answer_report(exchange, &report, dry_run);
    report_free(&report);
    return error;
}

/* A body without a key that is not JSON is told so. */
static const struct error *refuse_stranger(struct exchange *exchange, struct text text,
                                           bool has_key)
{
    const char *message;
    if (has_key || json_read_object(text, exchange->arena, &message))
        return uploads_refuse_token(exchange);
    return message ? abort_upload(exchange, message) : &error_internal;
}

/* Only a member's body is worth the work of reading it in several ways. */
static const struct error *upload(struct exchange *exchange, bool dry_run)
{
    struct upload_body body;
    struct text text, token;
    const char *message;
    const struct error *error = request_read_any_body(exchange->request, &text);
    if (error)
        return error;
    bool has_key = upload_body_find_token(text, &token);
    enum store_result result = uploads_identify(exchange, token);
    if (result == STORE_NONE)
        return refuse_stranger(exchange, text, has_key);
    if (result != STORE_DONE)
        return &error_internal;
    if (!upload_body_parse(text, exchange->arena, &body, &message))
        return message ? abort_upload(exchange, message) : &error_internal;
    if (!body.key.bytes || !text_equals(text_trim(body.key), token))
        return uploads_refuse_token(exchange);
    if (!body.type.bytes || !text_equals_ignoring_case(body.type, "adif"))
        return abort_upload(exchange, "type must be adif");
    if (!body.adif.bytes)
        return abort_upload(exchange, "string is missing");
    return save(exchange, body.adif, dry_run);
}

static const struct error *answer(struct exchange *exchange)
{
    return upload(exchange, false);
}

/* Wavelog's test button sends /true, its own tests /1; an empty segment does not come here. */
static const struct error *answer_dry(struct exchange *exchange)
{
    struct text word = exchange->request->segments[DRY_RUN_SEGMENT];
    bool dry_run = !text_equals(word, text_of("0")) && !text_equals_ignoring_case(word, "false");
    return upload(exchange, dry_run);
}

ROUTE(upload_qso) = {
    .method = METHOD_POST,
    .path = "/cloudlog/api/qso",
    .access = ACCESS_UPLOADS,
    .use = USES_STORE,
    .status = 201,
    .answer = answer,
};
ROUTE(upload_qso_dry) = {
    .method = METHOD_POST,
    .path = "/cloudlog/api/qso/{dryRun}",
    .access = ACCESS_UPLOADS,
    .use = USES_STORE,
    .status = 201,
    .answer = answer_dry,
};
