/* Merges a record of a file into the stored QSO. */
#ifndef QSOSYNC_ADIF_MERGE_H
#define QSOSYNC_ADIF_MERGE_H

#include "adif/rows.h"
#include "adif/said.h"
#include "base/arena.h"

enum merge_way {
    MERGE_ADD,     /* what the record does not hold stays as it is stored */
    MERGE_REPLACE, /* the record is the whole QSO */
    MERGE_FILL /* what is empty, and belongs to the stored QSO's band, is filled; and a more exact
                  value takes the place of the same one with less detail */
};

/* What a record says that was not said before. */
struct merge_news {
    bool is_news[SAID_COUNT];
    bool may_say_less; /* a correction by the same program, which may be less exact */
};

struct merging {
    const struct mapped *record;
    const struct qso *stored; /* NULL: there is none yet */
    enum merge_way way;
    const struct merge_news *news; /* NULL: all of it is */
    const struct contact_own *own; /* callsigns of the log; NULL: not known */
};

/* Fills *out with what is to be saved: every field that a client may send has a value or is null.
 * To MERGE_ADD also belongs that the seconds of the time, the sideband of the mode, the last
 * characters of a locator, the serial of a report and the spelling of a callsign stay. Returns
 * whether anything differs from what is stored. Texts live where those of both QSOs do, and in the
 * arena. */
bool merge_record(const struct merging *merging, struct arena *arena, struct qso *out);

/* Whether the record has another value for the field than the merged QSO, and not only the same
 * value with less detail or in another spelling. */
bool merge_keeps_another(const struct merging *merging, const struct qso *merged,
                         enum field_index field);

#endif
