/* Points in time: milliseconds since 1970-01-01T00:00:00Z, and their ISO 8601 text.
 *
 * Never reads the clock. */
#ifndef QSOSYNC_BASE_DATETIME_H
#define QSOSYNC_BASE_DATETIME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* length of YYYY-MM-DDTHH:MM:SS.mmmZ, without a NUL */
#define DATETIME_TEXT_LENGTH 24
#define DATETIME_MINIMUM_MS INT64_C(-62135596800000) /* 0001-01-01T00:00:00.000Z */
#define DATETIME_MAXIMUM_MS                                                                        \
    (INT64_C(253402300800000) - 1) /* the last millisecond of the year 9999 */
#define DATETIME_SECOND_MS INT64_C(1000)
#define DATETIME_MINUTE_MS INT64_C(60000)
#define DATETIME_DAY_MS INT64_C(86400000)

/* Reads YYYY-MM-DDThh:mm[:ss[.fraction]] followed by Z, +hh:mm, +hhmm or +hh (or minus; T and Z in
 * either case) as a point in time. The date must exist in the Gregorian calendar, in the years 0001
 * to 9999 even after conversion to UTC. Digits beyond milliseconds are cut off; second 60 reads as
 * 59.999. Hours run from 0 to 23, offsets up to 23:59. For any other text, including untrimmed
 * text, returns false and leaves *ms unchanged. */
bool datetime_parse(struct text text, int64_t *ms);

/* Reads a day, YYYY-MM-DD, as its beginning in UTC. For any other text, returns false and leaves
 * *ms unchanged. */
bool datetime_parse_day(struct text text, int64_t *ms);

/* Returns the number of whole months from the beginning of the year 0 until this time in UTC: 12
 * times the year, plus 0 for January. `ms` must be within the two bounds above. */
int datetime_count_months(int64_t ms);

/* Writes the time in UTC, DATETIME_TEXT_LENGTH bytes. `ms` must be within the two bounds above. */
void datetime_format(int64_t ms, char *out);

#endif
