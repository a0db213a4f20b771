/* Names the items for which a QSO counts. divisions.c defines the divisions, special.c the special
 * stations, and place.c the squares. */
#include "qso/award_names.h"

#include <ctype.h>

#include "base/format.h"
#include "qso/divisions.h"
#include "qso/place.h"
#include "qso/special.h"

const char *award_subject_name(enum award_subject subject)
{
    static const char *const names[AWARD_SUBJECTS] = {"divisions", "squares", "special", "unknown"};
    return names[subject];
}

void award_names_find(struct text callsign, struct text locator, struct award_names *names)
{
    struct match_callsign normal;
    const int division = divisions_number(callsign);
    for (int i = 0; i < AWARD_SUBJECTS; i++)
        names->of[i].length = 0;
    match_normalise_callsign(callsign, &normal);
    if (division != DIVISIONS_NONE)
        names->of[AWARD_DIVISIONS].length =
            format_cut(names->of[AWARD_DIVISIONS].bytes, sizeof names->of[AWARD_DIVISIONS].bytes,
                       "%d", division);
    else if (normal.length > 0 && isdigit((unsigned char)normal.bytes[0]))
        names->of[AWARD_UNKNOWN] = normal;
    if (division != DIVISIONS_NONE && special_is(&normal))
        names->of[AWARD_SPECIAL] = normal;
    if (locator.length >= PLACE_SQUARE_LENGTH) {
        names->of[AWARD_SQUARES].length = PLACE_SQUARE_LENGTH;
        text_to_upper((struct text){locator.bytes, PLACE_SQUARE_LENGTH},
                      names->of[AWARD_SQUARES].bytes);
    }
}
