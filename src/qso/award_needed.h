/* Finds what a QSO would add to a log's awards. */
#ifndef QSOSYNC_QSO_AWARD_NEEDED_H
#define QSOSYNC_QSO_AWARD_NEEDED_H

#include "qso/awards.h"

/* The gain from a QSO for an award, in ascending order of value. */
enum award_needed {
    /* worked on this band in this mode, and confirmed on any band; or the QSO counts for no item */
    AWARD_NOTHING,
    AWARD_UNCONFIRMED, /* worked on this band in this mode, but not confirmed on any band */
    /* worked on this band, but not in this mode; SSB, USB and LSB count as one mode */
    AWARD_NEW_IN_MODE,
    AWARD_NEW_ON_BAND,
    AWARD_NEW
};

struct award_question {
    struct text callsign, locator; /* no text: unknown */
    int band;
    int mode; /* MATCH_NO_MODE: the mode is unknown, and never new */
};

void awards_find_needed(const struct awards *awards, const struct award_question *question,
                        enum award_needed needed[AWARD_COUNTED]);

#endif
