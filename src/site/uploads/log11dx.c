/* Uploads in the form of LOG11DX: its bridge for WSJT-X, and programs that do the same. They send
 * one QSO as JSON with ADIF's names, and ask whether a token is valid and whether a station is
 * already in the log. They compare "status", and show "message". */
#include <ctype.h>

#include "adif/mapping.h"
#include "base/datetime.h"
#include "json/read.h"
#include "json/write.h"
#include "json/write_object.h"
#include "qso/match.h"
#include "site/uploads/routes.h"
#include "site/uploads/uploads.h"
#include "store/log/log.h"
#include "worker/body.h"

#define NAME_MAX_BYTES 50 /* bytes of a field; all names in ADIF are much shorter */

static struct buffer *begin_answer(struct exchange *exchange, int status, const char *word,
                                   const char *message)
{
    exchange->status = status;
    json_write_fields(exchange->body, json_flag("ok", status == 200),
                      json_text("status", text_of(word)), json_text("message", text_of(message)));
    return exchange->body;
}

static const struct error *answer_in_words(struct exchange *exchange, int status, const char *word,
                                           const char *message)
{
    begin_answer(exchange, status, word, message);
    return &route_answered;
}

/* The member to whom the token belongs. */
static const struct error *identify(struct exchange *exchange)
{
    enum store_result result = uploads_identify(exchange, exchange->request->key, API_KEY_TOKEN);
    if (result == STORE_NONE)
        return answer_in_words(exchange, 401, "invalid_token",
                               "The upload token is not valid. Create one in your profile.");
    return route_store_error(result);
}

/* -- Sending a QSO ----------------------------------------------------------------------------- */

/* The bridge's names that differ from ADIF, and its separators in values, which ADIF does not have:
 * 2026-05-17 and 19:42:00. */
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

/* A text or a number as a text; no text: anything else. */
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

/* The reason why the only record was not stored, in words for its operator. */
static const char *reason_of(struct exchange *exchange, const struct report *report)
{
    if (report->other_bands)
        return "This log takes QSOs on 11 m and PMR446 only.";
    for (const struct report_reason *reason = report->reasons; reason; reason = reason->next)
        if (reason->notice == NOTICE_REFUSED)
            return arena_print(exchange->arena, "%.*s%s%s", (int)reason->first->field.length,
                               reason->first->field.bytes, reason->first->field.length ? " " : "",
                               reason->text);
    return "The QSO could not be read.";
}

/* Names the sent values that do not replace stored ones, after these words. */
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
        return answer_in_words(exchange, 200, "uploaded", "The QSO is in the log.");
    if (counts->corrected)
        return answer_in_words(exchange, 200, "uploaded", "The QSO in the log was corrected.");
    if (counts->completed)
        return answer_in_words(
            exchange, 200, "uploaded",
            add_kept_values(exchange, report,
                            "The QSO was in the log. Missing values were added."));
    if (counts->unchanged)
        return answer_in_words(exchange, 200, "duplicate",
                               add_kept_values(exchange, report, "The QSO is in the log already."));
    return answer_in_words(exchange, 400, "rejected", reason_of(exchange, report));
}

static const struct error *save(struct exchange *exchange, const struct buffer *adif)
{
    struct report report;
    report_begin(&report, exchange->arena);
    enum store_result result =
        uploads_import(exchange, (struct text){adif->bytes, adif->length}, false, &report);
    if (result == STORE_DENIED)
        return identify(exchange); /* the token was revoked meanwhile */
    TRY(route_store_error(result));
    return answer_report(exchange, &report);
}

/* POST …/api/wsjtx/upload-qso.php */
static const struct error *answer_qso(struct exchange *exchange)
{
    struct record_writer writer = {.exchange = exchange};
    const struct json_fields *body, *qso;
    const struct error *refused = body_read_object(exchange, &body);
    if (refused)
        return refused->status != 400 ? refused
                                      : answer_in_words(exchange, 400, "rejected",
                                                        arena_print(exchange->arena, "The body %s.",
                                                                    refused->message));
    qso = json_find_object(body, "qso");
    if (!qso)
        return answer_in_words(exchange, 400, "rejected", "The body has no object \"qso\".");
    json_each(qso, append_field, &writer);
    buffer_append_string(&writer.adif, "<EOR>");
    const struct error *error = save(exchange, &writer.adif);
    buffer_free(&writer.adif);
    return error;
}

/* -- The token --------------------------------------------------------------------------------- */

/* GET …/api/wsjtx/token-status.php */
static const struct error *answer_token(struct exchange *exchange)
{
    struct buffer *body = begin_answer(exchange, 200, "valid", "The upload token is valid.");
    json_write_text(body, "callsign", exchange->identity.callsign);
    return NULL;
}

/* -- Worked before ----------------------------------------------------------------------------- */

/* The requested station, and its QSOs in the log. */
struct search {
    struct exchange *exchange;
    struct match_callsign callsign;
    int64_t band, mode_family; /* -1: any */
    bool elsewhere;            /* the band does not exist in any log here */
    struct found {
        int64_t qsos, last_ms;
        struct record last; /* the newest */
    } found[2];             /* with the station on any band, and on this band in this mode */
};

static bool take_qso(void *context, const struct qso *qso)
{
    struct search *search = context;
    struct match_callsign worked;
    const struct mapped_source source = {.member = search->exchange->identity.callsign};
    int64_t at_ms = qso->values[FIELD_QSO_AT].integer;
    int64_t band = qso_integer_or(qso, FIELD_BAND, -1);
    int64_t mode = qso_integer_or(qso, FIELD_MODE, -1);
    match_normalise_callsign(qso_text(qso, FIELD_CALLSIGN_WORKED), &worked);
    if (!match_equal_callsigns(&worked, &search->callsign) ||
        qso_integer_or(qso, FIELD_QSO_STATUS, -1) == QSO_STATUS_HRD)
        return true;
    bool is_same =
        (search->band < 0 || band == search->band) &&
        (search->mode_family < 0 || (mode >= 0 && match_mode_family(mode) == search->mode_family));
    struct found *found = &search->found[is_same];
    if (found->qsos++ == 0 || at_ms > found->last_ms) {
        found->last_ms = at_ms;
        found->last = mapping_write(qso, (struct text){0}, &source, false, search->exchange->arena);
    }
    return true;
}

static void add_field(struct record *record, const char *name, struct text value)
{
    record->fields[record->count++] = (struct record_field){.name = text_of(name), .value = value};
}

/* No text: the record has no such field. */
static struct text field_of(const struct record *record, const char *name)
{
    for (size_t i = 0; i < record->count; i++)
        if (text_equals_ignoring_case(record->fields[i].name, name))
            return record->fields[i].value;
    return (struct text){0};
}

/* Band and mode, mapped as in a record of ADIF. */
static const struct error *read_search(struct search *search)
{
    static const char *const names[] = {"call", "mode", "band", "freq"};
    struct exchange *exchange = search->exchange;
    struct record_field given[6];
    struct record record = {.number = 1, .fields = given};
    const struct mapped_source source = {.member = exchange->identity.callsign};
    struct mapped mapped;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct text value;
        const char *message = request_find_parameter(exchange->request, names[i], &value);
        if (message)
            return answer_in_words(exchange, 400, "rejected",
                                   arena_print(exchange->arena, "%s %s", names[i], message));
        if (value.length > 0)
            add_field(&record, names[i], value);
    }
    if (record.count == 0 || !text_equals(given[0].name, text_of(names[0])))
        return answer_in_words(exchange, 400, "rejected", "call is missing");
    match_normalise_callsign(given[0].value, &search->callsign);
    const bool has_band = field_of(&record, "band").bytes || field_of(&record, "freq").bytes;
    if (!has_band) /* a record must have one */
        add_field(&record, "BAND", text_of("11m"));
    add_field(&record, "QSO_DATE", text_of("20000101"));
    add_field(&record, "TIME_ON", text_of("0000"));
    enum mapping_outcome outcome = mapping_read(&record, &source, exchange->arena, &mapped);
    search->elsewhere = outcome == MAPPING_OTHER_BAND;
    search->band = search->mode_family = -1;
    if (outcome == MAPPING_QSO) {
        int64_t mode = qso_integer_or(&mapped.qso, FIELD_MODE, -1);
        search->band = has_band ? qso_integer_or(&mapped.qso, FIELD_BAND, -1) : -1;
        search->mode_family = mode < 0 ? -1 : match_mode_family(mode);
    }
    return NULL;
}

/* An alert if the station was worked on this band in this mode, and the last QSO. */
static void write_found(const struct search *search, struct buffer *body)
{
    const struct found *found = &search->found[search->found[1].qsos > 0];
    struct text mode = field_of(&found->last, "MODE"), band = field_of(&found->last, "BAND");
    char text[DATETIME_TEXT_LENGTH];
    datetime_format(found->last_ms, text);
    const struct text date = {text, sizeof "2026-05-17" - 1},
                      time = {text + 11, sizeof "19:42:00" - 1};
    if (found == &search->found[1]) {
        const char *title = arena_print(search->exchange->arena, "%.*s is in your log",
                                        (int)search->callsign.length, search->callsign.bytes);
        const char *last = arena_print(
            search->exchange->arena, "Last worked on %.10s at %.8s UTC, %.*s %.*s", date.bytes,
            time.bytes, (int)band.length, band.bytes, (int)mode.length, mode.bytes);
        json_begin_object(body, "alert");
        json_write_fields(body, json_text("title", text_of(title)),
                          json_text("body", text_of(last)));
        buffer_print(body, ",\"details\":[\"QSOs with this station: %lld\"]}",
                     (long long)(search->found[0].qsos + search->found[1].qsos));
    }
    json_write_object(body, "last_qso", json_text("mode", mode), json_text("band", band),
                      json_text("frequency", field_of(&found->last, "FREQ")),
                      json_text("date", date), json_text("time", time));
}

/* GET …/api/wsjtx/check-dupe.php?call=…: an alert if the station was worked on this band in this
 * mode; only the last QSO if it was worked on another. */
static const struct error *answer_dupe(struct exchange *exchange)
{
    struct search search = {.exchange = exchange};
    if (!exchange->identity.may_read)
        return answer_in_words(exchange, 403, "forbidden",
                               "The upload token may not read the log.");
    TRY(read_search(&search));
    const struct log_walk walk = {.from_ms = DATETIME_MINIMUM_MS,
                                  .to_ms = DATETIME_MAXIMUM_MS,
                                  .with_texts = true,
                                  .callsign = search.callsign};
    if (!search.elsewhere && search.callsign.length > 0 &&
        store_walk_log(exchange->store, exchange->identity.member_id, &walk, take_qso, &search) !=
            STORE_DONE)
        return &error_internal;
    struct buffer *body = begin_answer(
        exchange, 200, search.found[1].qsos > 0 ? "duplicate" : "new",
        search.found[1].qsos > 0   ? "Worked before."
        : search.found[0].qsos > 0 ? "Worked before, but not on this band in this mode."
                                   : "Not in the log.");
    if (search.found[0].qsos > 0 || search.found[1].qsos > 0)
        write_found(&search, body);
    return NULL;
}

#define LOG11DX_ROUTE(name, verb, where, uses, function, ...)                                      \
    SITE_ROUTE(name, verb, "/api/wsjtx/" where, .access = ACCESS_UPLOADS, .use = uses,             \
               .status = 200, .is_object = true, .prepare = identify, .answer = function,          \
               __VA_ARGS__)

/* One QSO, with two items per field of ADIF. */
static const struct route_body qso_body = {
    .type = BODY_OF_ANY_TYPE, .bytes_max = BODY_UNKNOWN_MAX_BYTES, .json = {.items_max = 512}};

LOG11DX_ROUTE(log11dx_qso, METHOD_POST, "upload-qso.php", USES_STORE, answer_qso,
              .body = &qso_body);
LOG11DX_ROUTE(log11dx_token, METHOD_GET, "token-status.php", USES_SNAPSHOT, answer_token);
LOG11DX_ROUTE(log11dx_dupe, METHOD_GET, "check-dupe.php", USES_SNAPSHOT, answer_dupe);
