/* The gains that a QSO can bring to the awards of a log. */
#ifndef QSOSYNC_QSO_AWARD_NEEDED_H
#define QSOSYNC_QSO_AWARD_NEEDED_H

#include "qso/awards.h"

/* The gains that a QSO can bring to the log, in ascending order of value. */
enum award_needed {
    AWARD_NOTHING,     /* it is confirmed, or there is nothing to count */
    AWARD_UNCONFIRMED, /* worked, nowhere confirmed */
    AWARD_NEW_IN_MODE, /* worked on this band, not in this mode; SSB, USB and LSB are one */
    AWARD_NEW_ON_BAND,
    AWARD_NEW
};

struct award_question {
    struct text callsign, locator; /* no text: unknown */
    int band;
    int mode; /* MATCH_NO_MODE: unknown, and never new */
};

void awards_find_needed(const struct awards *awards, const struct award_question *question,
                        enum award_needed needed[AWARD_COUNTED]);

#endif
