/* GET /profile/data/worked: which divisions, squares and special stations the member has worked,
 * and which of them are confirmed, by band and mode, and the member's place; for pages that mark
 * what is new. What counts is said in qso/awards.h, which spots are marked by the pages.
 */
#include "json/write.h"
#include "qso/fields.h"
#include "site/award_query.h"
#include "site/profile.h"

static bool has_any(const struct awards *awards, award_cells cell)
{
    for (int subject = 0; subject < AWARD_COUNTED; subject++) {
        int64_t worked, confirmed;
        awards_count_items(awards, (enum award_subject)subject, cell, &worked, &confirmed);
        if (worked > 0)
            return true;
    }
    return false;
}

/* Divisions are numbers, all else is text. */
static void write_names(struct buffer *body, const char *name, enum award_subject subject,
                        const struct awards *awards, award_cells cells, bool confirmed)
{
    const struct award_item **items = awards_list(awards, subject);
    const char *quote = subject == AWARD_DIVISIONS ? "" : "\"";
    json_write_name(body, name);
    buffer_append(body, "[", 1);
    for (size_t i = 0; i < awards->lists[subject].count; i++)
        if ((confirmed ? items[i]->confirmed_in : items[i]->worked_in) & cells) {
            json_write_element(body);
            buffer_print(body, "%s%.*s%s", quote, (int)items[i]->name.length, items[i]->name.bytes,
                         quote);
        }
    buffer_append(body, "]", 1);
}

static void write_row(struct buffer *body, const struct awards *awards, int band, int mode)
{
    const award_cells cell = award_cells_of(band, mode);
    if (!has_any(awards, cell))
        return;
    json_write_element(body);
    buffer_append(body, "{", 1);
    json_write_text(body, "band", text_of(band == BAND_PMR446 ? "pmr446" : "11m"));
    json_write_text(body, "mode",
                    text_of(mode == MATCH_NO_MODE ? NULL : fields[FIELD_MODE].choices[mode]));
    write_names(body, "divisions", AWARD_DIVISIONS, awards, cell, false);
    write_names(body, "confirmedDivisions", AWARD_DIVISIONS, awards, cell, true);
    write_names(body, "squares", AWARD_SQUARES, awards, cell, false);
    write_names(body, "confirmedSquares", AWARD_SQUARES, awards, cell, true);
    write_names(body, "special", AWARD_SPECIAL, awards, cell, false);
    write_names(body, "confirmedSpecial", AWARD_SPECIAL, awards, cell, true);
    buffer_append(body, "}", 1);
}

static const struct error *answer(struct exchange *exchange)
{
    struct buffer *body = &exchange->response->body;
    struct awards awards;
    const struct error *error = award_query_count(exchange, &awards);
    if (error)
        return error;
    buffer_append(body, "{", 1);
    json_write_text(body, "locator", exchange->member.locator);
    write_names(body, "divisions", AWARD_DIVISIONS, &awards, award_cells_of(BAND_COUNT, MODE_COUNT),
                false);
    json_write_name(body, "worked");
    buffer_append(body, "[", 1);
    for (int band = 0; band < BAND_COUNT; band++)
        for (int mode = MATCH_NO_MODE; mode < MODE_COUNT; mode++)
            write_row(body, &awards, band, mode);
    buffer_append_string(body, "]}");
    return NULL;
}

PROFILE_LOG_ROUTE(profile_worked, "worked", answer);
