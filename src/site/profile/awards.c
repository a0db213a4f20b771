/* GET /profile/data/awards: divisions, squares and special stations worked and confirmed, in the
 * log or its filtered part. The page shows the awards (src/web/pages/profile/awards.js). */
#include "http/error.h"
#include "json/write.h"
#include "json/write_object.h"
#include "qso/award_totals.h"
#include "qso/awards.h"
#include "qso/divisions.h"
#include "qso/fields.h"
#include "qso/match.h"
#include "site/profile/award_query.h"
#include "site/profile/routes.h"
#include "worker/route.h"

#define UNKNOWN_SHOWN 100

/* Writes, for each subject, the numbers of items worked and confirmed in these bands and modes. */
static void write_pairs(struct buffer *body, const struct awards *awards, award_cells cells)
{
    for (enum award_subject subject = 0; subject < AWARD_COUNTED; subject++) {
        int64_t worked, confirmed;
        awards_count_items(awards, subject, cells, &worked, &confirmed);
        json_write_object(body, award_subject_name(subject), json_integer("worked", worked),
                          json_integer("confirmed", confirmed));
    }
}

/* Writes the counts for a band or a mode. The name of MATCH_NO_MODE is null. */
static void write_choice(struct buffer *body, const struct awards *awards, enum field_index field,
                         int choice)
{
    const char *name = choice == MATCH_NO_MODE ? NULL : fields[field].choices[choice];
    json_begin_item(body);
    json_write_text(body, fields[field].name, text_of(name));
    write_pairs(body, awards, award_query_cells(field, choice));
    buffer_append(body, "}", 1);
}

static void write_totals(struct buffer *body, const struct awards *awards)
{
    json_begin_object(body, "totals");
    write_pairs(body, awards, AWARD_QUERY_ALL_CELLS);
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
        int64_t worked_ms = 0, confirmed_ms = 0; /* 0: not reached so far */
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

static void write_cells(struct buffer *body, const char *name, enum field_index field,
                        award_cells cells)
{
    json_begin_array(body, name);
    award_query_append(body, field, cells, "\"", ",");
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

PROFILE_LOG_ROUTE(profile_awards, "awards", profile_log_tag, answer);
