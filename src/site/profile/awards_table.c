/* GET /profile/data/awards.csv: awards of the log, or of its filtered part, as a table. The table
 * has one line for each division, square and special station worked, and for each missing division.
 */
#include "base/datetime.h"
#include "http/error.h"
#include "qso/award_totals.h"
#include "qso/awards.h"
#include "qso/divisions.h"
#include "site/profile/award_query.h"
#include "site/profile/routes.h"
#include "transfer/csv.h"
#include "transfer/export.h"
#include "worker/route.h"

/* The texts for the first cell of a line, indexed by the subject. */
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
    for (int i = 0; i < 4; i++) { /* bands and modes worked, and bands and modes confirmed */
        buffer_append(out, ",", 1);
        award_query_append(out, i % 2 ? FIELD_MODE : FIELD_BAND,
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
