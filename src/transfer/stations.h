/* Finds records whose station callsign is not one of the log's own callsigns, and replaces the
 * callsign if the member requests it. */
#ifndef QSOSYNC_TRANSFER_STATIONS_H
#define QSOSYNC_TRANSFER_STATIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "adif/mapping.h"
#include "adif/rows.h"
#include "base/arena.h"
#include "base/table.h"
#include "base/text.h"
#include "qso/contact.h"
#include "store/store.h"

#define STATIONS_NAMES 20 /* maximum number of callsigns that are counted separately */

struct stations {
    /* the member's current and earlier callsigns, and the stations that the member may operate */
    struct contact_own own;
    struct text callsign; /* replacement for other callsigns; no text: these callsigns are kept */
    /* The number of QSOs (int64_t) for each callsign that is not the log's own. A name of length 0
     * counts all callsigns after the first STATIONS_NAMES callsigns. */
    struct table found;
};

/* Reads the log's own callsigns, and the stations that the member may operate, into the arena. */
enum store_result stations_read(struct store *store, int64_t member_id, int64_t now_ms,
                                struct arena *arena, struct stations *out);

bool stations_is_own(const struct stations *stations, struct text callsign);

/* Counts the record if it is from another station, and replaces its station callsign if
 * requested. */
void stations_take(struct stations *stations, struct mapped *mapped);

#endif
