/* Counts what a log is worth, for the page and for its table: one walk over what the filter of My
 * log wants. What counts, and for what, is said in qso/awards.h; JSON and CSV are left to the
 * routes.
 */
#include "site/award_query.h"

#include "site/log_query.h"
#include "site/profile.h"
#include "store/log.h"

struct count {
    struct log_filter filter;
    struct awards *awards;
};

static bool count_qso(void *context, const struct qso *qso)
{
    struct count *count = context;
    if (log_filter_fits(&count->filter, qso))
        awards_add(count->awards, qso);
    return true;
}

const struct error *award_query_count(struct exchange *exchange, struct awards *awards)
{
    struct count count = {.awards = awards};
    const struct error *error = log_query_read_filter(exchange, &count.filter);
    if (error)
        return error;
    struct log_walk walk = log_query_walk(&count.filter);
    walk.in_any_order = true;
    awards_begin(awards, exchange->arena);
    enum store_result result =
        store_walk_log(exchange->store, exchange->member.id, &walk, count_qso, &count);
    awards_end(awards);
    log_filter_free(&count.filter);
    return profile_store_error(result);
}

const struct division *award_query_missing(const struct awards *awards, int number)
{
    const struct text name = text_of(arena_print(awards->arena, "%d", number));
    return divisions_is_abolished(number) || awards_find(awards, AWARD_DIVISIONS, name)
               ? NULL
               : divisions_at(number);
}

const struct division *award_query_division(const struct award_item *item)
{
    int64_t number = DIVISIONS_NONE;
    text_parse_integer((struct text){item->name.bytes, item->name.length}, 0, DIVISIONS_END - 1,
                       &number);
    return divisions_at((int)number);
}
