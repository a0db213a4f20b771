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

/* Writes the number without printf, which takes too long for large logs. */
void award_names_of_division(int division, struct match_callsign *name)
{
    name->length = 0;
    for (int rest = division; rest > 0; rest /= 10)
        name->length++;
    for (size_t at = name->length; at > 0; division /= 10)
        name->bytes[--at] = (char)('0' + division % 10);
}

void award_names_of_square(int square, struct match_callsign *name)
{
    name->length = PLACE_SQUARE_LENGTH;
    place_name_square(square, name->bytes);
}

enum award_subject award_names_of_station(struct text callsign, int division,
                                          struct match_callsign *name)
{
    match_normalise_callsign(callsign, name);
    if (division != DIVISIONS_NONE)
        return special_is(name) ? AWARD_SPECIAL : AWARD_SUBJECTS;
    return name->length > 0 && isdigit((unsigned char)name->bytes[0]) ? AWARD_UNKNOWN
                                                                      : AWARD_SUBJECTS;
}

void award_names_find(struct text callsign, struct text locator, struct award_names *names)
{
    struct match_callsign station;
    const int division = divisions_number(callsign);
    const enum award_subject subject = award_names_of_station(callsign, division, &station);
    for (int i = 0; i < AWARD_SUBJECTS; i++)
        names->of[i].length = 0;
    if (division != DIVISIONS_NONE)
        award_names_of_division(division, &names->of[AWARD_DIVISIONS]);
    if (subject != AWARD_SUBJECTS)
        names->of[subject] = station;
    if (locator.length >= PLACE_SQUARE_LENGTH) {
        names->of[AWARD_SQUARES].length = PLACE_SQUARE_LENGTH;
        text_to_upper((struct text){locator.bytes, PLACE_SQUARE_LENGTH},
                      names->of[AWARD_SQUARES].bytes);
    }
}
