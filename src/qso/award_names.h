/* The subjects of awards, and the items for which a callsign and a locator count. */
#ifndef QSOSYNC_QSO_AWARD_NAMES_H
#define QSOSYNC_QSO_AWARD_NAMES_H

#include "base/text.h"
#include "qso/match_callsign.h"

/* The kinds of items. AWARD_UNKNOWN is for callsigns that begin with a digit, but do not belong to
 * a division. */
enum award_subject {
    AWARD_DIVISIONS,
    AWARD_SQUARES,
    AWARD_SPECIAL,
    AWARD_COUNTED,
    AWARD_UNKNOWN = AWARD_COUNTED,
    AWARD_SUBJECTS
};

/* Returns "divisions", "squares", "special" or "unknown". */
const char *award_subject_name(enum award_subject subject);

/* The items for which a callsign and a locator count. An empty name means no item. */
struct award_names {
    struct match_callsign of[AWARD_SUBJECTS];
};

/* Finds the items for a callsign and a locator. Either text can be missing. */
void award_names_find(struct text callsign, struct text locator, struct award_names *names);

/* Find a single item: a division or a square by its number, and a station. A station's division is
 * DIVISIONS_NONE if it is unknown. The last function returns AWARD_SPECIAL or AWARD_UNKNOWN, or
 * AWARD_SUBJECTS if the station counts for neither. */
void award_names_of_division(int division, struct match_callsign *name);
void award_names_of_square(int square, struct match_callsign *name);
enum award_subject award_names_of_station(struct text callsign, int division,
                                          struct match_callsign *name);

#endif
