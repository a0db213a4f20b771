/* What a record of a file makes of a QSO that is stored already. */
#ifndef QSOSYNC_ADIF_MERGE_H
#define QSOSYNC_ADIF_MERGE_H

#include "adif/mapped.h"
#include "base/arena.h"

/* Fills *out with what is to be saved: every field that a client may send has a value or is null.
 * A record with a clientId of its own (replaces) is the whole QSO; of any other what it does not
 * hold stays as it is stored, also the seconds of the time, the sideband of the mode, the last
 * characters of a locator and the spelling of a callsign. stored NULL: there is none yet. Returns
 * whether anything differs from what is stored. Texts live where those of both QSOs do, and in the
 * arena. */
bool merge_record(const struct mapped *record, const struct qso *stored, bool replaces,
                  struct arena *arena, struct qso *out);

#endif
