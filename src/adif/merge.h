/* Merges a record of a file into the stored QSO. */
#ifndef QSOSYNC_ADIF_MERGE_H
#define QSOSYNC_ADIF_MERGE_H

#include "adif/rows.h"
#include "base/arena.h"

enum merge_way {
    MERGE_ADD,     /* what the record does not hold stays as it is stored */
    MERGE_REPLACE, /* the record is the whole QSO */
    MERGE_FILL     /* only what is empty, and belongs to the stored QSO's band, is filled */
};

/* Fills *out with what is to be saved: every field that a client may send has a value or is null.
 * To MERGE_ADD also belongs that the seconds of the time, the sideband of the mode, the last
 * characters of a locator, the serial of a report and the spelling of a callsign stay. stored NULL:
 * there is none yet. Returns whether anything differs from what is stored. Texts live where those
 * of both QSOs do, and in the arena. */
bool merge_record(const struct mapped *record, const struct qso *stored, enum merge_way way,
                  struct arena *arena, struct qso *out);

#endif
