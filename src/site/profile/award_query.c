/* Counts awards in one walk over the QSOs that match the filter of Logbook. qso/awards.c decides
 * what counts. */
#include "site/profile/award_query.h"

#include "http/error.h"
#include "qso/awards.h"
#include "qso/divisions.h"
#include "qso/fields.h"
#include "site/profile/log_query.h"
#include "site/profile/routes.h"
#include "worker/route.h"

static void count_qso(void *awards, const struct qso *qso)
{
    awards_add(awards, qso);
}

const struct error *award_query_count(struct exchange *exchange, struct awards *awards)
{
    awards_begin(awards, exchange->arena);
    const struct error *error = log_query_visit(exchange, count_qso, awards);
    awards_end(awards);
    return error;
}

const struct division *award_query_missing(const struct awards *awards, int number)
{
    const struct text name = text_of(arena_print(awards->arena, "%d", number));
    const struct division *division = divisions_at(number);
    return division && (division->is_abolished || awards_find(awards, AWARD_DIVISIONS, name))
               ? NULL
               : division;
}

const struct division *award_query_division(const struct award_item *item)
{
    int64_t number = DIVISIONS_NONE;
    text_parse_integer(match_text(&item->name), 0, DIVISIONS_END - 1, &number);
    return divisions_at((int)number);
}

award_cells award_query_cells(enum field_index field, int choice)
{
    return field == FIELD_BAND ? award_cells_of(choice, MODE_COUNT)
                               : award_cells_of(BAND_COUNT, choice);
}

void award_query_append(struct buffer *out, enum field_index field, award_cells cells,
                        const char *quote, const char *between)
{
    const char *before = "";
    for (int choice = 0; fields[field].choices[choice]; choice++)
        if (cells & award_query_cells(field, choice)) {
            buffer_print(out, "%s%s%s%s", before, quote, fields[field].choices[choice], quote);
            before = between;
        }
}
