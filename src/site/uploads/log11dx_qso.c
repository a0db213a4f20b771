/* POST /api/wsjtx/upload-qso.php: saves one QSO, which a program sends as JSON with ADIF's names.
 */
#include <ctype.h>

#include "json/read.h"
#include "site/uploads/log11dx.h"
#include "site/uploads/routes.h"
#include "site/uploads/uploads.h"
#include "worker/body.h"

/* The maximum number of bytes in a field's name. All names in ADIF are much shorter. */
#define NAME_MAX_BYTES 50

/* Field names that differ between LOG11DX's bridge for WSJT-X and ADIF, and the separators in the
 * bridge's values, such as 2026-05-17 and 19:42:00. ADIF's values have no separators. */
static const struct form {
    const char *name, *adif_name, *separator;
} forms[] = {
    {"operator", "NAME", ""},
    {"grid", "GRIDSQUARE", ""},
    {"qso_date", "QSO_DATE", "-"},
    {"time_on", "TIME_ON", ":"},
    {"qso_date_off", "QSO_DATE_OFF", "-"},
    {"time_off", "TIME_OFF", ":"},
};

static bool is_adif_name(struct text name)
{
    for (size_t i = 0; i < name.length; i++)
        if (!isalnum((unsigned char)name.bytes[i]) && name.bytes[i] != '_')
            return false;
    return name.length > 0 && name.length <= NAME_MAX_BYTES;
}

/* Returns a text or a number as a text; no text for any other value. */
static struct text value_text(struct exchange *exchange, const struct json_value *value)
{
    if (value->kind == JSON_STRING)
        return value->text;
    if (value->kind == JSON_INTEGER)
        return text_of(arena_print(exchange->arena, "%lld", (long long)value->integer));
    if (value->kind == JSON_REAL)
        return text_of(arena_print(exchange->arena, "%.9f", value->real));
    return (struct text){0};
}

struct record_writer {
    struct exchange *exchange;
    struct buffer adif;
};

static void append_field(void *context, struct text name, const struct json_value *from)
{
    struct record_writer *writer = context;
    struct text value = value_text(writer->exchange, from);
    const char *separator = "";
    if (!value.bytes || !is_adif_name(name))
        return;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (text_equals_ignoring_case(name, forms[i].name)) {
            name = text_of(forms[i].adif_name);
            separator = forms[i].separator;
            break;
        }
    char *kept = arena_allocate(writer->exchange->arena, value.length);
    size_t length = 0;
    for (size_t i = 0; i < value.length; i++)
        if (!*separator || value.bytes[i] != *separator)
            kept[length++] = value.bytes[i];
    buffer_print(&writer->adif, "<%.*s:%zu>", (int)name.length, name.bytes, length);
    buffer_append(&writer->adif, kept, length);
}

/* Returns the reason why the only record was not stored, as text for the program's user. */
static const char *reason_of(struct exchange *exchange, const struct report *report)
{
    if (report->other_bands)
        return "This log accepts only QSOs on 11 m and PMR446.";
    for (const struct report_reason *reason = report->reasons; reason; reason = reason->next)
        if (reason->notice == NOTICE_REFUSED)
            return arena_print(exchange->arena, "%.*s%s%s", (int)reason->first->field.length,
                               reason->first->field.bytes, reason->first->field.length ? " " : "",
                               reason->text);
    return "The QSO could not be read.";
}

/* Returns the message, followed by the sent values that do not replace stored values. */
static const char *add_kept_values(struct exchange *exchange, const struct report *report,
                                   const char *message)
{
    struct buffer out = {0};
    buffer_append_string(&out, message);
    for (const struct report_value *value = report->values; value; value = value->next)
        if (value->is_kept)
            buffer_print(&out, " %s %s.", value->field, report_tell_value(value, exchange->arena));
    const char *all = arena_copy(exchange->arena, out.bytes, out.length);
    buffer_free(&out);
    return all;
}

static const struct error *answer_report(struct exchange *exchange, const struct report *report)
{
    const struct report_counts *counts = &report->counts;
    if (counts->imported)
        return log11dx_answer(exchange, 200, "uploaded", "The QSO is in the log.");
    if (counts->corrected)
        return log11dx_answer(exchange, 200, "uploaded", "The QSO in the log was corrected.");
    if (counts->completed)
        return log11dx_answer(
            exchange, 200, "uploaded",
            add_kept_values(exchange, report,
                            "The QSO was in the log. Missing values were added."));
    if (counts->unchanged)
        return log11dx_answer(exchange, 200, "duplicate",
                              add_kept_values(exchange, report, "The QSO is already in the log."));
    return log11dx_answer(exchange, 400, "rejected", reason_of(exchange, report));
}

static const struct error *save(struct exchange *exchange, const struct buffer *adif)
{
    struct report report;
    report_begin(&report, exchange->arena);
    enum store_result result =
        uploads_import(exchange, (struct text){adif->bytes, adif->length}, false, &report);
    if (result == STORE_DENIED)
        return log11dx_identify(exchange); /* the token was revoked meanwhile */
    TRY(route_store_error(result));
    return answer_report(exchange, &report);
}

static const struct error *answer_qso(struct exchange *exchange)
{
    struct record_writer writer = {.exchange = exchange};
    const struct json_fields *body, *qso;
    const struct error *refused = body_read_object(exchange, &body);
    if (refused)
        return refused->status != 400
                   ? refused
                   : log11dx_answer(exchange, 400, "rejected",
                                    arena_print(exchange->arena, "The body %s.", refused->message));
    qso = json_find_object(body, "qso");
    if (!qso)
        return log11dx_answer(exchange, 400, "rejected", "The body has no object \"qso\".");
    json_each(qso, append_field, &writer);
    buffer_append_string(&writer.adif, "<EOR>");
    const struct error *error = save(exchange, &writer.adif);
    buffer_free(&writer.adif);
    return error;
}

/* A QSO has two items per ADIF field. */
static const struct route_body qso_body = {
    .type = BODY_OF_ANY_TYPE, .bytes_max = BODY_UNKNOWN_MAX_BYTES, .json = {.items_max = 512}};

LOG11DX_ROUTE(log11dx_qso, METHOD_POST, "upload-qso.php", USES_STORE, answer_qso,
              .body = &qso_body);
