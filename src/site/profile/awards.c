/* GET /profile/data/awards: divisions, squares and special stations worked and confirmed, in the
 * log or its filtered part, as JSON and as a table. The page shows them
 * (src/pages/profile/awards.js). */
#include "base/datetime.h"
#include "http/error.h"
#include "json/write.h"
#include "json/write_object.h"
#include "qso/award_totals.h"
#include "qso/awards.h"
#include "qso/divisions.h"
#include "qso/fields.h"
#include "qso/match.h"
#include "site/profile/log_query.h"
#include "site/profile/routes.h"
#include "transfer/export.h"
#include "worker/route.h"

/* Counts awards for the page and for its table, in one walk over the QSOs of the filter of My log.
 * qso/awards.h decides what counts; the routes write JSON and CSV. */

static void count_qso(void *awards, const struct qso *qso)
{
    awards_add(awards, qso);
}

/* NULL: *awards is filled, from the exchange's arena. */
static const struct error *award_query_count(struct exchange *exchange, struct awards *awards)
{
    awards_begin(awards, exchange->arena);
    const struct error *error = log_query_visit(exchange, count_qso, awards);
    awards_end(awards);
    return error;
}

/* The division with this number if it is neither worked nor abolished; NULL otherwise. */
static const struct division *award_query_missing(const struct awards *awards, int number)
{
    const struct text name = text_of(arena_print(awards->arena, "%d", number));
    const struct division *division = divisions_at(number);
    return division && (division->is_abolished || awards_find(awards, AWARD_DIVISIONS, name))
               ? NULL
               : division;
}

/* The division of an item of AWARD_DIVISIONS. */
static const struct division *award_query_division(const struct award_item *item)
{
    int64_t number = DIVISIONS_NONE;
    text_parse_integer(match_text(&item->name), 0, DIVISIONS_END - 1, &number);
    return divisions_at((int)number);
}

#define UNKNOWN_SHOWN 100
#define ALL_CELLS award_cells_of(BAND_COUNT, MODE_COUNT)

/* The cells of a band in all modes, or of a mode on all bands. */
static award_cells cells_of(enum field_index field, int choice)
{
    return field == FIELD_BAND ? award_cells_of(choice, MODE_COUNT)
                               : award_cells_of(BAND_COUNT, choice);
}

/* -- JSON -------------------------------------------------------------------------------------- */

/* Counts, for each subject, worked and confirmed items in these bands and modes. */
static void write_pairs(struct buffer *body, const struct awards *awards, award_cells cells)
{
    for (enum award_subject subject = 0; subject < AWARD_COUNTED; subject++) {
        int64_t worked, confirmed;
        awards_count_items(awards, subject, cells, &worked, &confirmed);
        json_write_object(body, award_subject_name(subject), json_integer("worked", worked),
                          json_integer("confirmed", confirmed));
    }
}

/* The same per band or mode; the name of MATCH_NO_MODE is null. */
static void write_choice(struct buffer *body, const struct awards *awards, enum field_index field,
                         int choice)
{
    const char *name = choice == MATCH_NO_MODE ? NULL : fields[field].choices[choice];
    json_begin_item(body);
    json_write_text(body, fields[field].name, text_of(name));
    write_pairs(body, awards, cells_of(field, choice));
    buffer_append(body, "}", 1);
}

static void write_totals(struct buffer *body, const struct awards *awards)
{
    json_begin_object(body, "totals");
    write_pairs(body, awards, ALL_CELLS);
    buffer_append(body, "}", 1);
    json_begin_array(body, "bands");
    for (int band = 0; band < BAND_COUNT; band++)
        write_choice(body, awards, FIELD_BAND, band);
    buffer_append(body, "]", 1);
    json_begin_array(body, "modes");
    for (int mode = MATCH_NO_MODE; mode < MODE_COUNT; mode++)
        write_choice(body, awards, FIELD_MODE, mode);
    buffer_append(body, "]", 1);
}

static void write_years(struct buffer *body, const struct awards *awards)
{
    json_begin_array(body, "years");
    for (size_t i = 0; i < awards->year_count; i++) {
        const struct award_year *year = &awards->years[i];
        json_begin_item(body);
        json_write_fields(body, json_integer("year", year->year), json_integer("qsos", year->qsos));
        for (enum award_subject subject = 0; subject < AWARD_COUNTED; subject++)
            json_write_object(body, award_subject_name(subject),
                              json_integer("worked", year->worked[subject]),
                              json_integer("first", year->first[subject]),
                              json_integer("confirmed", year->confirmed[subject]));
        buffer_append(body, "}", 1);
    }
    buffer_append(body, "]", 1);
}

static void write_thresholds(struct buffer *body, const struct awards *awards)
{
    json_begin_array(body, "thresholds");
    for (size_t i = 0; i < award_threshold_count; i++) {
        const struct award_threshold *threshold = &award_thresholds[i];
        int64_t worked_ms = 0, confirmed_ms = 0; /* not yet */
        awards_find_passing(awards, threshold, false, &worked_ms);
        awards_find_passing(awards, threshold, true, &confirmed_ms);
        json_write_item(body, json_text("subject", text_of(award_subject_name(threshold->subject))),
                        json_integer("items", threshold->items), json_time("workedAt", worked_ms),
                        json_time("confirmedAt", confirmed_ms));
    }
    buffer_append(body, "]", 1);
}

static void write_first(struct buffer *body, const char *name, const struct award_first *first)
{
    const struct match_callsign *callsign = &first->callsign;
    struct text station = callsign->length > 0 ? match_text(callsign) : (struct text){0};
    json_write_object(body, name, json_number("id", first->id),
                      json_time("qsoAt", first->qso_at_ms), json_text("callsign", station));
}

/* The names of the bands or modes whose cells are not empty, each in `quotes`, with a separator
 * between them. */
static void append_choices(struct buffer *out, enum field_index field, award_cells cells,
                           const char *quote, const char *between)
{
    const char *before = "";
    for (int choice = 0; fields[field].choices[choice]; choice++)
        if (cells & cells_of(field, choice)) {
            buffer_print(out, "%s%s%s%s", before, quote, fields[field].choices[choice], quote);
            before = between;
        }
}

static void write_cells(struct buffer *body, const char *name, enum field_index field,
                        award_cells cells)
{
    json_begin_array(body, name);
    append_choices(body, field, cells, "\"", ",");
    buffer_append(body, "]", 1);
}

static void write_division(struct buffer *body, const struct division *division)
{
    json_write_fields(body, json_text("country", text_of(division->name)),
                      json_text("iso", text_of(*division->iso ? division->iso : NULL)));
}

static void write_item(struct buffer *body, enum award_subject subject,
                       const struct award_item *item)
{
    json_begin_item(body);
    json_write_text(body, "name", match_text(&item->name));
    if (subject == AWARD_DIVISIONS)
        write_division(body, award_query_division(item));
    json_write_fields(body, json_integer("qsos", item->qsos),
                      json_integer("confirmed", item->confirmed));
    write_cells(body, "bands", FIELD_BAND, item->worked_in);
    write_cells(body, "modes", FIELD_MODE, item->worked_in);
    write_first(body, "first", &item->first);
    if (item->confirmed > 0) {
        write_cells(body, "confirmedBands", FIELD_BAND, item->confirmed_in);
        write_cells(body, "confirmedModes", FIELD_MODE, item->confirmed_in);
        write_first(body, "firstConfirmed", &item->first_confirmed);
        json_write_time(body, "confirmedAt", item->confirmed_at_ms);
    }
    buffer_append(body, "}", 1);
}

static void write_items(struct buffer *body, const struct awards *awards)
{
    for (enum award_subject subject = 0; subject < AWARD_SUBJECTS; subject++) {
        const struct award_item **items = awards_list(awards, subject);
        json_begin_array(body, award_subject_name(subject));
        for (size_t i = 0; i < awards->lists[subject].count; i++)
            if (subject != AWARD_UNKNOWN || i < UNKNOWN_SHOWN)
                write_item(body, subject, items[i]);
        buffer_append(body, "]", 1);
    }
}

static void write_missing(struct buffer *body, const struct awards *awards)
{
    json_begin_array(body, "missing");
    for (int number = 1; number < DIVISIONS_END; number++) {
        const struct division *division = award_query_missing(awards, number);
        if (!division)
            continue;
        json_begin_item(body);
        json_write_integer(body, "number", number);
        write_division(body, division);
        buffer_append(body, "}", 1);
    }
    buffer_append(body, "]", 1);
}

static const struct error *answer(struct exchange *exchange)
{
    struct awards awards;
    TRY(award_query_count(exchange, &awards));
    json_write_fields(exchange->body, json_integer("qsos", awards.qsos),
                      json_integer("confirmed", awards.confirmed),
                      json_integer("unknownQsos", awards.unknown),
                      json_integer("withoutNumber", awards.without_number));
    write_totals(exchange->body, &awards);
    write_years(exchange->body, &awards);
    write_thresholds(exchange->body, &awards);
    write_items(exchange->body, &awards);
    write_missing(exchange->body, &awards);
    return NULL;
}

PROFILE_LOG_ROUTE(profile_awards, "awards", answer);

/* GET /profile/data/awards.csv: awards of the log, or of its filtered part, as a table. It has one
 * line for each division, square and special station worked, and for each missing division. */

/* The first cell, in the singular. */
static const char *const kinds[AWARD_COUNTED] = {[AWARD_DIVISIONS] = "division",
                                                 [AWARD_SQUARES] = "square",
                                                 [AWARD_SPECIAL] = "special station"};

static void add_first(struct buffer *out, const struct award_first *first)
{
    char time[DATETIME_TEXT_LENGTH];
    datetime_format(first->qso_at_ms, time);
    csv_append_cell(out, (struct text){time, sizeof time});
    csv_append_cell(out, match_text(&first->callsign));
}

static void add_item(struct buffer *out, enum award_subject subject, const struct award_item *item)
{
    bool is_division = subject == AWARD_DIVISIONS, is_confirmed = item->confirmed > 0;
    csv_append_cell(out, text_of(kinds[subject]));
    csv_append_cell(out, match_text(&item->name));
    csv_append_cell(out, text_of(is_division ? award_query_division(item)->name : NULL));
    buffer_print(out, ",%lld,%lld", (long long)item->qsos, (long long)item->confirmed);
    for (int i = 0; i < 4; i++) { /* bands and modes worked, and those confirmed */
        buffer_append(out, ",", 1);
        append_choices(out, i % 2 ? FIELD_MODE : FIELD_BAND,
                       i < 2 ? item->worked_in : item->confirmed_in, "", " ");
    }
    add_first(out, &item->first);
    if (is_confirmed)
        add_first(out, &item->first_confirmed);
    buffer_append_string(out, is_confirmed ? ",confirmed\r\n" : ",,,worked\r\n");
}

static void add_missing(struct buffer *out, const struct awards *awards)
{
    for (int number = 1; number < DIVISIONS_END; number++) {
        const struct division *division = award_query_missing(awards, number);
        if (!division)
            continue;
        buffer_print(out, "%s,%d", kinds[AWARD_DIVISIONS], number);
        csv_append_cell(out, text_of(division->name));
        buffer_append_string(out, ",0,0,,,,,,,,,missing\r\n");
    }
}

static const struct error *answer_awards_table(struct exchange *exchange)
{
    struct buffer *out = exchange->body;
    struct awards awards;
    TRY(award_query_count(exchange, &awards));
    exchange->response->content_type = "text/csv; charset=utf-8";
    exchange->file_name = "qsosync-awards.csv";
    buffer_append_string(out, "kind,name,country,qsos,confirmed,bands,modes,confirmedBands,"
                              "confirmedModes,firstAt,firstCallsign,firstConfirmedAt,"
                              "firstConfirmedCallsign,state\r\n");
    for (enum award_subject subject = 0; subject < AWARD_COUNTED; subject++) {
        const struct award_item **items = awards_list(&awards, subject);
        for (size_t i = 0; i < awards.lists[subject].count; i++)
            add_item(out, subject, items[i]);
    }
    add_missing(out, &awards);
    return NULL;
}

PROFILE_FILE_ROUTE(ACCESS_LOG, profile_awards_table, "awards.csv", USES_SNAPSHOT,
                   answer_awards_table);

/* GET /profile/data/worked: divisions, squares and special stations that the member has worked,
 * with confirmations, by band and mode, and the member's place. Pages use it to mark what is new.
 * qso/awards.h decides what counts; the pages mark the spots. */

/* Divisions are numbers, all other items are texts. */
static void write_names(struct buffer *body, const char *name, enum award_subject subject,
                        const struct awards *awards, award_cells cells, bool confirmed)
{
    const struct award_item **items = awards_list(awards, subject);
    const char *quote = subject == AWARD_DIVISIONS ? "" : "\"";
    json_begin_array(body, name);
    for (size_t i = 0; i < awards->lists[subject].count; i++)
        if ((confirmed ? items[i]->confirmed_in : items[i]->worked_in) & cells) {
            json_write_element(body);
            buffer_print(body, "%s%.*s%s", quote, (int)items[i]->name.length, items[i]->name.bytes,
                         quote);
        }
    buffer_append(body, "]", 1);
}

/* Writes nothing if nothing was worked in it. */
static void write_row(struct buffer *body, const struct awards *awards, int band, int mode)
{
    static const char *const confirmed[] = {"confirmedDivisions", "confirmedSquares",
                                            "confirmedSpecial"};
    const char *name = mode == MATCH_NO_MODE ? NULL : fields[FIELD_MODE].choices[mode];
    const award_cells cell = award_cells_of(band, mode);
    int64_t worked = 0, unused;
    for (enum award_subject subject = 0; subject < AWARD_COUNTED && !worked; subject++)
        awards_count_items(awards, subject, cell, &worked, &unused);
    if (!worked)
        return;
    json_begin_item(body);
    json_write_fields(body, json_text("band", text_of(band == BAND_PMR446 ? "pmr446" : "11m")),
                      json_text("mode", text_of(name)));
    for (enum award_subject subject = 0; subject < AWARD_COUNTED; subject++) {
        write_names(body, award_subject_name(subject), subject, awards, cell, false);
        write_names(body, confirmed[subject], subject, awards, cell, true);
    }
    buffer_append(body, "}", 1);
}

static const struct error *answer_worked(struct exchange *exchange)
{
    struct awards awards;
    TRY(award_query_count(exchange, &awards));
    json_write_text(exchange->body, "locator", exchange->member.locator);
    write_names(exchange->body, "divisions", AWARD_DIVISIONS, &awards, ALL_CELLS, false);
    json_begin_array(exchange->body, "worked");
    for (int band = 0; band < BAND_COUNT; band++)
        for (int mode = MATCH_NO_MODE; mode < MODE_COUNT; mode++)
            write_row(exchange->body, &awards, band, mode);
    buffer_append(exchange->body, "]", 1);
    return NULL;
}

PROFILE_LOG_ROUTE(profile_worked, "worked", answer_worked);
