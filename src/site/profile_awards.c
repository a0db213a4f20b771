/* GET /profile/data/awards: divisions, squares and special stations worked and confirmed, in the
 * log or in the part of it that a filter wants, as JSON. They are counted in award_query.c; the
 * page shows them (src/pages/awards.js). */
#include "base/datetime.h"
#include "json/write.h"
#include "qso/divisions.h"
#include "qso/fields.h"
#include "site/award_query.h"
#include "site/profile.h"

#define UNKNOWN_SHOWN 100

static struct text text_of_name(const struct match_callsign *name)
{
    return (struct text){name->bytes, name->length};
}

/* -- JSON -------------------------------------------------------------------------------------- */

static void begin_list(struct buffer *body, const char *name)
{
    json_write_name(body, name);
    buffer_append(body, "[", 1);
}

static void begin_element(struct buffer *body)
{
    json_write_element(body);
    buffer_append(body, "{", 1);
}

static void write_pair(struct buffer *body, const char *name, int64_t worked, int64_t confirmed)
{
    json_write_name(body, name);
    buffer_append(body, "{", 1);
    json_write_integer(body, "worked", worked);
    json_write_integer(body, "confirmed", confirmed);
    buffer_append(body, "}", 1);
}

/* For each subject how much was worked and confirmed in these bands and modes. */
static void write_pairs(struct buffer *body, const struct awards *awards, award_cells cells)
{
    for (int subject = 0; subject < AWARD_COUNTED; subject++) {
        int64_t worked, confirmed;
        awards_count_items(awards, (enum award_subject)subject, cells, &worked, &confirmed);
        write_pair(body, award_subject_name((enum award_subject)subject), worked, confirmed);
    }
}

/* The name of a choice; null for MATCH_NO_MODE. */
static void write_choice(struct buffer *body, const char *name, enum field_index field, int choice)
{
    json_write_text(body, name,
                    text_of(choice == MATCH_NO_MODE ? NULL : fields[field].choices[choice]));
}

static void write_totals(struct buffer *body, const struct awards *awards)
{
    json_write_name(body, "totals");
    buffer_append(body, "{", 1);
    write_pairs(body, awards, award_cells_of(BAND_COUNT, MODE_COUNT));
    buffer_append(body, "}", 1);
    begin_list(body, "bands");
    for (int band = 0; band < BAND_COUNT; band++) {
        begin_element(body);
        write_choice(body, "band", FIELD_BAND, band);
        write_pairs(body, awards, award_cells_of(band, MODE_COUNT));
        buffer_append(body, "}", 1);
    }
    buffer_append(body, "]", 1);
    begin_list(body, "modes");
    for (int mode = MATCH_NO_MODE; mode < MODE_COUNT; mode++) {
        begin_element(body);
        write_choice(body, "mode", FIELD_MODE, mode);
        write_pairs(body, awards, award_cells_of(BAND_COUNT, mode));
        buffer_append(body, "}", 1);
    }
    buffer_append(body, "]", 1);
}

static void write_years(struct buffer *body, const struct awards *awards)
{
    begin_list(body, "years");
    for (size_t i = 0; i < awards->year_count; i++) {
        const struct award_year *year = &awards->years[i];
        begin_element(body);
        json_write_integer(body, "year", year->year);
        json_write_integer(body, "qsos", year->qsos);
        for (int subject = 0; subject < AWARD_COUNTED; subject++) {
            json_write_name(body, award_subject_name((enum award_subject)subject));
            buffer_append(body, "{", 1);
            json_write_integer(body, "worked", year->worked[subject]);
            json_write_integer(body, "first", year->first[subject]);
            json_write_integer(body, "confirmed", year->confirmed[subject]);
            buffer_append(body, "}", 1);
        }
        buffer_append(body, "}", 1);
    }
    buffer_append(body, "]", 1);
}

static void write_passing(struct buffer *body, const char *name, const struct awards *awards,
                          const struct award_threshold *threshold, bool confirmed)
{
    int64_t ms = 0;
    if (awards_find_passing(awards, threshold, confirmed, &ms))
        json_write_time(body, name, ms);
    else
        json_write_null(body, name);
}

static void write_thresholds(struct buffer *body, const struct awards *awards)
{
    begin_list(body, "thresholds");
    for (size_t i = 0; i < award_threshold_count; i++) {
        const struct award_threshold *threshold = &award_thresholds[i];
        begin_element(body);
        json_write_text(body, "subject", text_of(award_subject_name(threshold->subject)));
        json_write_integer(body, "items", threshold->items);
        write_passing(body, "workedAt", awards, threshold, false);
        write_passing(body, "confirmedAt", awards, threshold, true);
        buffer_append(body, "}", 1);
    }
    buffer_append(body, "]", 1);
}

static void write_first(struct buffer *body, const char *name, const struct award_moment *moment,
                        const struct match_callsign *callsign)
{
    json_write_name(body, name);
    buffer_append(body, "{", 1);
    json_write_number_text(body, "id", moment->id);
    json_write_time(body, "qsoAt", moment->qso_at_ms);
    json_write_text(body, "callsign",
                    callsign->length > 0 ? text_of_name(callsign) : (struct text){0});
    buffer_append(body, "}", 1);
}

/* The names of the bands and modes with something in these cells. */
static void write_cells(struct buffer *body, const char *bands, const char *modes,
                        award_cells cells)
{
    begin_list(body, bands);
    for (int band = 0; band < BAND_COUNT; band++)
        if (cells & award_cells_of(band, MODE_COUNT)) {
            json_write_element(body);
            buffer_print(body, "\"%s\"", fields[FIELD_BAND].choices[band]);
        }
    buffer_append(body, "]", 1);
    begin_list(body, modes);
    for (int mode = 0; mode < MODE_COUNT; mode++)
        if (cells & award_cells_of(BAND_COUNT, mode)) {
            json_write_element(body);
            buffer_print(body, "\"%s\"", fields[FIELD_MODE].choices[mode]);
        }
    buffer_append(body, "]", 1);
}

static void write_division(struct buffer *body, const struct division *division)
{
    json_write_text(body, "country", text_of(division->name));
    json_write_text(body, "iso", text_of(*division->iso ? division->iso : NULL));
}

static void write_item(struct buffer *body, enum award_subject subject,
                       const struct award_item *item)
{
    begin_element(body);
    json_write_text(body, "name", text_of_name(&item->name));
    if (subject == AWARD_DIVISIONS)
        write_division(body, award_query_division(item));
    json_write_integer(body, "qsos", item->qsos);
    json_write_integer(body, "confirmed", item->confirmed);
    write_cells(body, "bands", "modes", item->worked_in);
    write_first(body, "first", &item->first, &item->first_callsign);
    if (item->confirmed > 0) {
        write_cells(body, "confirmedBands", "confirmedModes", item->confirmed_in);
        write_first(body, "firstConfirmed", &item->first_confirmed,
                    &item->first_confirmed_callsign);
        json_write_time(body, "confirmedAt", item->confirmed_at_ms);
    }
    buffer_append(body, "}", 1);
}

static void write_items(struct buffer *body, const struct awards *awards)
{
    for (int subject = 0; subject < AWARD_SUBJECTS; subject++) {
        const struct award_item **items = awards_list(awards, (enum award_subject)subject);
        begin_list(body, award_subject_name((enum award_subject)subject));
        for (size_t i = 0; i < awards->lists[subject].count; i++)
            if (subject != AWARD_UNKNOWN || i < UNKNOWN_SHOWN)
                write_item(body, (enum award_subject)subject, items[i]);
        buffer_append(body, "]", 1);
    }
}

static void write_missing(struct buffer *body, const struct awards *awards)
{
    begin_list(body, "missing");
    for (int number = 1; number < DIVISIONS_END; number++) {
        const struct division *division = award_query_missing(awards, number);
        if (!division)
            continue;
        begin_element(body);
        json_write_integer(body, "number", number);
        write_division(body, division);
        buffer_append(body, "}", 1);
    }
    buffer_append(body, "]", 1);
}

static const struct error *answer(struct exchange *exchange)
{
    struct buffer *body = &exchange->response->body;
    struct awards awards;
    const struct error *error = award_query_count(exchange, &awards);
    if (error)
        return error;
    buffer_append(body, "{", 1);
    json_write_integer(body, "qsos", awards.qsos);
    json_write_integer(body, "confirmed", awards.confirmed);
    json_write_integer(body, "unknownQsos", awards.unknown);
    json_write_integer(body, "withoutNumber", awards.without_number);
    write_totals(body, &awards);
    write_years(body, &awards);
    write_thresholds(body, &awards);
    write_items(body, &awards);
    write_missing(body, &awards);
    buffer_append(body, "}", 1);
    return NULL;
}

PROFILE_LOG_ROUTE(profile_awards, "awards", answer);
