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

#endif
