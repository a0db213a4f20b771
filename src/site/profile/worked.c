/* GET /profile/data/worked: the member's locator, and the divisions, squares and special stations
 * worked and confirmed, by band and mode. Pages and the app use the answer to mark needed spots. */
#include "http/error.h"
#include "json/write.h"
#include "json/write_object.h"
#include "qso/award_totals.h"
#include "qso/awards.h"
#include "qso/fields.h"
#include "qso/match.h"
#include "site/profile/award_query.h"
#include "site/profile/routes.h"
#include "worker/route.h"

/* Writes the names of the items that are worked or confirmed in these cells. Divisions are numbers;
 * all other names are texts. */
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

/* Writes the row of a band and mode, unless all numbers in the row would be 0. */
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
    write_names(exchange->body, "divisions", AWARD_DIVISIONS, &awards, AWARD_QUERY_ALL_CELLS,
                false);
    json_begin_array(exchange->body, "worked");
    for (int band = 0; band < BAND_COUNT; band++)
        for (int mode = MATCH_NO_MODE; mode < MODE_COUNT; mode++)
            write_row(exchange->body, &awards, band, mode);
    buffer_append(exchange->body, "]", 1);
    return NULL;
}

PROFILE_LOG_ROUTE(profile_worked, "worked", profile_log_tag, answer_worked);
