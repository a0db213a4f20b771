/* Which division an item of the awards is, and which ones they lack, for the page and for its
 * table. What counts, and for what, is said in qso/awards.h; which QSOs are counted, in summary.c.
 */
#include "site/award_query.h"

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
