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

#define STATIONS_NAMES 20 /* callsigns that are counted separately */

struct stations {
    struct contact_own own; /* present and earlier callsigns, and stations the member may operate */
    struct text callsign;   /* replaces all others; no text: they are kept */
    /* The number of QSOs (int64_t) by each other callsign. A name of length 0 counts all callsigns
     * after STATIONS_NAMES. */
    struct table found;
};

/* Reads the log's own callsigns into the arena. */
enum store_result stations_read(struct store *store, int64_t member_id, int64_t now_ms,
                                struct arena *arena, struct stations *out);

bool stations_is_own(const struct stations *stations, struct text callsign);

/* Counts a record of another station, and replaces its callsign. */
void stations_take(struct stations *stations, struct mapped *mapped);

#endif
