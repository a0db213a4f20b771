/* GET /profile/data/awards.csv: what the log, or the part of it that a filter wants, is worth, as a
 * table: a line for each division, square and special station worked, and for each division that is
 * missing. They are counted in award_query.c. */
#include "base/datetime.h"
#include "qso/fields.h"
#include "site/award_query.h"
#include "site/profile.h"
#include "transfer/csv.h"

/* The first cell, in the singular. */
static const char *const kinds[AWARD_COUNTED] = {[AWARD_DIVISIONS] = "division",
                                                 [AWARD_SQUARES] = "square",
                                                 [AWARD_SPECIAL] = "special station"};

static void add_cell(struct buffer *out, struct text text)
{
    csv_append_cell(out, text);
    buffer_append(out, ",", 1);
}

static void add_callsign(struct buffer *out, const struct match_callsign *callsign)
{
    add_cell(out, (struct text){callsign->bytes, callsign->length});
}

static void add_time(struct buffer *out, int64_t ms)
{
    char time[DATETIME_TEXT_LENGTH];
    datetime_format(ms, time);
    add_cell(out, (struct text){time, sizeof time});
}

/* The names of the choices that have something in these cells, with blanks between them. */
static void add_choices(struct buffer *out, enum field_index field, award_cells cells)
{
    const int count = field == FIELD_BAND ? BAND_COUNT : MODE_COUNT;
    const char *between = "";
    for (int choice = 0; choice < count; choice++) {
        const award_cells wanted = field == FIELD_BAND ? award_cells_of(choice, MODE_COUNT)
                                                       : award_cells_of(BAND_COUNT, choice);
        if (!(cells & wanted))
            continue;
        buffer_print(out, "%s%s", between, fields[field].choices[choice]);
        between = " ";
    }
    buffer_append(out, ",", 1);
}

static void add_item(struct buffer *out, enum award_subject subject, const struct award_item *item)
{
    add_cell(out, text_of(kinds[subject]));
    add_callsign(out, &item->name);
    add_cell(out, text_of(subject == AWARD_DIVISIONS ? award_query_division(item)->name : NULL));
    buffer_print(out, "%lld,%lld,", (long long)item->qsos, (long long)item->confirmed);
    add_choices(out, FIELD_BAND, item->worked_in);
    add_choices(out, FIELD_MODE, item->worked_in);
    add_choices(out, FIELD_BAND, item->confirmed_in);
    add_choices(out, FIELD_MODE, item->confirmed_in);
    add_time(out, item->first.qso_at_ms);
    add_callsign(out, &item->first_callsign);
    if (item->confirmed > 0) {
        add_time(out, item->first_confirmed.qso_at_ms);
        add_callsign(out, &item->first_confirmed_callsign);
    } else {
        buffer_append_string(out, ",,");
    }
    buffer_append_string(out, item->confirmed > 0 ? "confirmed\r\n" : "worked\r\n");
}

static void add_missing(struct buffer *out, const struct awards *awards)
{
    for (int number = 1; number < DIVISIONS_END; number++) {
        const struct division *division = award_query_missing(awards, number);
        if (!division)
            continue;
        add_cell(out, text_of(kinds[AWARD_DIVISIONS]));
        buffer_print(out, "%d,", number);
        add_cell(out, text_of(division->name));
        buffer_append_string(out, "0,0,,,,,,,,,missing\r\n");
    }
}

static const struct error *answer(struct exchange *exchange)
{
    struct buffer *out = &exchange->response->body;
    struct awards awards;
    const struct error *error = award_query_count(exchange, &awards);
    if (error)
        return error;
    exchange->response->content_type = "text/csv; charset=utf-8";
    exchange->file_name = "qsosync-awards.csv";
    buffer_append_string(out, "kind,name,country,qsos,confirmed,bands,modes,confirmedBands,"
                              "confirmedModes,firstAt,firstCallsign,firstConfirmedAt,"
                              "firstConfirmedCallsign,state\r\n");
    for (int subject = 0; subject < AWARD_COUNTED; subject++) {
        const struct award_item **items = awards_list(&awards, (enum award_subject)subject);
        for (size_t i = 0; i < awards.lists[subject].count; i++)
            add_item(out, (enum award_subject)subject, items[i]);
    }
    add_missing(out, &awards);
    return NULL;
}

PROFILE_ROUTE(profile_awards_table, METHOD_GET, "awards.csv", USES_SNAPSHOT, 200, answer);
