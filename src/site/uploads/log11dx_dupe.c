/* GET /api/wsjtx/check-dupe.php?call=CALLSIGN: reports whether a station was worked before. The
 * band and the mode are optional parameters. The answer has an alert if the station was worked on
 * the requested band in the requested mode. If the station was worked only on another band or in
 * another mode, the answer has only the last QSO. */
#include "adif/mapping.h"
#include "base/datetime.h"
#include "json/write.h"
#include "json/write_object.h"
#include "qso/match.h"
#include "site/uploads/log11dx.h"
#include "site/uploads/routes.h"
#include "store/log/log.h"

/* The requested station, and its QSOs in the log. */
struct search {
    struct exchange *exchange;
    struct match_callsign callsign;
    int64_t band, mode_family; /* -1: any value */
    bool elsewhere;            /* whether the service does not store QSOs on the requested band */
    struct found {
        int64_t qsos, last_ms;
        struct record last; /* the newest QSO */
        /* the station's QSOs: first those on other bands or in other modes, then those on the
         * requested band in the requested mode */
    } found[2];
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

/* Returns the field's value; no text if the record lacks the field. */
static struct text field_of(const struct record *record, const char *name)
{
    for (size_t i = 0; i < record->count; i++)
        if (text_equals_ignoring_case(record->fields[i].name, name))
            return record->fields[i].value;
    return (struct text){0};
}

/* Reads the callsign, and maps band and mode as in an ADIF record. */
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
            return log11dx_answer(exchange, 400, "rejected",
                                  arena_print(exchange->arena, "%s %s", names[i], message));
        if (value.length > 0)
            add_field(&record, names[i], value);
    }
    if (record.count == 0 || !text_equals(given[0].name, text_of(names[0])))
        return log11dx_answer(exchange, 400, "rejected", "call is missing");
    match_normalise_callsign(given[0].value, &search->callsign);
    const bool has_band = field_of(&record, "band").bytes || field_of(&record, "freq").bytes;
    if (!has_band) /* a record must have a band */
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

/* Writes the last QSO, and an alert if the station was worked on the requested band in the
 * requested mode. */
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

static const struct error *answer_dupe(struct exchange *exchange)
{
    struct search search = {.exchange = exchange};
    if (!exchange->identity.may_read)
        return log11dx_answer(exchange, 403, "forbidden", "The upload token may not read the log.");
    TRY(read_search(&search));
    const struct log_walk walk = {.from_ms = DATETIME_MINIMUM_MS,
                                  .to_ms = DATETIME_MAXIMUM_MS,
                                  .with_texts = true,
                                  .callsign = search.callsign};
    if (!search.elsewhere && search.callsign.length > 0 &&
        store_walk_log(exchange->store, exchange->identity.member_id, &walk, take_qso, &search) !=
            STORE_DONE)
        return &error_internal;
    struct buffer *body = log11dx_begin_answer(
        exchange, 200, search.found[1].qsos > 0 ? "duplicate" : "new",
        search.found[1].qsos > 0   ? "Worked before."
        : search.found[0].qsos > 0 ? "Worked before, but not on this band in this mode."
                                   : "Not in the log.");
    if (search.found[0].qsos > 0 || search.found[1].qsos > 0)
        write_found(&search, body);
    return NULL;
}

LOG11DX_ROUTE(log11dx_dupe, METHOD_GET, "check-dupe.php", USES_SNAPSHOT, answer_dupe);
