/* Special stations, which are on the air for an activation or an event. Members count them in
 * addition to divisions and squares. */
#ifndef QSOSYNC_QSO_SPECIAL_H
#define QSOSYNC_QSO_SPECIAL_H

#include <stdbool.h>

#include "qso/match_callsign.h"

/* Returns whether the callsign, on any band, belongs to a special station. Such a callsign begins
 * with a division's number, and has
 * - the unit 0: 201AT0/P, 19HN00;
 * - the suffix 0, DX, DXP, EXP, SES, IOTA or the reference of an island: 315AT/0, 26AT101/DX,
 *   165SD/EU011;
 * - or no unit, and a suffix that moving stations do not use: 13AT/WFF.
 * A unit is the number after the group's letters. P, M, MM, AM, A, QRP and suffixes that begin with
 * a digit, except for zeros, show only how or from where a station operates. */
bool special_is(const struct match_callsign *callsign);

#endif
