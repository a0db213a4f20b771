/* Compares a possible QSO with a log's awards. */
#include "qso/award_needed.h"

#include "qso/match.h"

static enum award_needed needed_of(const struct award_item *item, int band, int mode)
{
    if (!item)
        return AWARD_NEW;
    if (!(item->worked_in & award_cells_of(band, MODE_COUNT)))
        return AWARD_NEW_ON_BAND;
    if (mode != MATCH_NO_MODE && !(item->worked_in & award_cells_of_family(band, mode)))
        return AWARD_NEW_IN_MODE;
    return item->confirmed == 0 ? AWARD_UNCONFIRMED : AWARD_NOTHING;
}

void awards_find_needed(const struct awards *awards, const struct award_question *question,
                        enum award_needed needed[AWARD_COUNTED])
{
    struct award_names names;
    award_names_find(question->callsign, question->locator, &names);
    for (int subject = 0; subject < AWARD_COUNTED; subject++) {
        const struct match_callsign *name = &names.of[subject];
        const struct award_item *item =
            awards_find(awards, (enum award_subject)subject, match_text(name));
        needed[subject] =
            name->length > 0 ? needed_of(item, question->band, question->mode) : AWARD_NOTHING;
    }
}
