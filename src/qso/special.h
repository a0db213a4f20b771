/* Special stations, which are on the air for an activation or an event. Members count them in
 * addition to divisions and squares. */
#ifndef QSOSYNC_QSO_SPECIAL_H
#define QSOSYNC_QSO_SPECIAL_H

#include <stdbool.h>

#include "qso/match_callsign.h"

/* True for the callsign of a special station, whatever the band: of a division, and
 * - with the unit 0: 201AT0/P, 19HN00;
 * - with the suffix 0, DX, DXP, EXP, SES, IOTA or the reference of an island: 315AT/0, 26AT101/DX,
 *   165SD/EU011;
 * - without a unit and with another suffix than those of moving stations: 13AT/WFF.
 * A unit is the number behind the group's letters. P, M, MM, AM, A, QRP and other digits than zeros
 * tell only how or where a station moves. */
bool special_is(const struct match_callsign *callsign);

#endif
