/* Converts local times to UTC, with the zones of the C library (/usr/share/zoneinfo). */
#ifndef QSOSYNC_TRANSFER_SHEET_ZONE_H
#define QSOSYNC_TRANSFER_SHEET_ZONE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/* Whether a local time occurs once, twice (clocks are set back) or never (set forward). */
enum sheet_clock { CLOCK_ONCE, CLOCK_TWICE, CLOCK_SKIPPED };

/* Returns whether the zone is UTC, an offset such as +09:00, or a zone that this machine has. */
bool sheet_zone_exists(const char *zone);

/* Makes a zone that exists the zone of the process, because the C library has no other zone;
 * sheet_zone_leave restores the previous zone. No other thread may use local times meanwhile. The
 * first function returns the previous zone, in the arena. */
const char *sheet_zone_enter(const char *zone, struct arena *arena);
void sheet_zone_leave(const char *previous);

/* Returns a local time in UTC. `zone` must be UTC, an offset, or the zone of the process. A time
 * that occurs twice is its first occurrence. A skipped time has the offset before the change. */
int64_t sheet_zone_to_utc(int64_t local_ms, const char *zone, enum sheet_clock *clock);

#endif
