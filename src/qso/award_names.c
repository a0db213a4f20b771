/* Names the items for which a QSO counts. divisions.c reads the number of a division, and special.c
 * recognises special stations. A square is the beginning of a locator. */
#include "qso/award_names.h"

#include <ctype.h>

#include "qso/divisions.h"
#include "qso/place.h"
#include "qso/special.h"

const char *award_subject_name(enum award_subject subject)
{
    static const char *const names[AWARD_SUBJECTS] = {"divisions", "squares", "special", "unknown"};
    return names[subject];
}

/* Writes the number of a division without printf, which takes too long if it is called for every
 * QSO of a large log. */
static void write_number(int division, struct match_callsign *name)
{
    for (int rest = division; rest > 0; rest /= 10)
        name->length++;
    for (size_t at = name->length; at > 0; division /= 10)
        name->bytes[--at] = (char)('0' + division % 10);
}

void award_names_find(struct text callsign, struct text locator, struct award_names *names)
{
    struct match_callsign normal;
    const int division = divisions_number(callsign);
    for (int i = 0; i < AWARD_SUBJECTS; i++)
        names->of[i].length = 0;
    match_normalise_callsign(callsign, &normal);
    if (division != DIVISIONS_NONE)
        write_number(division, &names->of[AWARD_DIVISIONS]);
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
