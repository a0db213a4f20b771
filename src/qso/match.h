/* Normalises callsigns for comparison, recognises those of special stations, and decides whether
 * two members' QSOs are one contact, seen from both ends (cross-confirmation).
 *
 * Pure: the store finds the QSOs. */
#ifndef QSOSYNC_QSO_MATCH_H
#define QSOSYNC_QSO_MATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/letters.h"
#include "qso/qso.h"

#define MATCH_WINDOW_MS INT64_C(900000) /* 15 minutes */
#define MATCH_CALLSIGN_BYTES CALLSIGN_BYTES_MAX
#define MATCH_NO_MODE (-1)
#define MATCH_FAMILIES_MAX (MODE_COUNT + 1) /* and MATCH_NO_MODE */

/* A callsign in the form that is compared. */
struct match_callsign {
    char bytes[MATCH_CALLSIGN_BYTES];
    size_t length;
};

static inline struct text match_text(const struct match_callsign *callsign)
{
    return (struct text){callsign->bytes, callsign->length};
}

/* Operators write 21-SD-333, 21 SD 333 and 21sd333: letters without case, no separators. A suffix
 * such as /P is part of the callsign. No text gives an empty one. */
void match_normalise_callsign(struct text text, struct match_callsign *out);

/* The same for the key that the schema stores: SQLite compares only ASCII letters without case. No
 * text for a callsign without other letters. */
struct text match_find_unicode_key(struct text text, struct match_callsign *key);

/* One side of a contact, as far as confirmation needs it. It holds copies, not pointers. */
struct match_side {
    bool confirmable; /* false: no callsign worked, or heard only; all else is empty */
    struct match_callsign station;
    struct match_callsign worked;
    int64_t qso_at_ms;
    int64_t band;
    int64_t channel;     /* 0: none */
    int64_t mode_family; /* MATCH_NO_MODE: not given */
};

/* The station is the operator callsign or, if that is empty, the member's. */
void match_read_side(const struct qso *qso, struct text member_callsign, struct match_side *out);

/* The mode that represents a mode's family: SSB, USB and LSB are one. */
int64_t match_mode_family(int64_t mode);

/* The number of the two-hour slot of a time; QSOs are searched by it. */
int64_t match_slot(int64_t ms);

/* The mode families that the other side may have, MATCH_NO_MODE among them; returns how many. */
size_t match_list_families(const struct match_side *side, int64_t families[MATCH_FAMILIES_MAX]);

/* True if the two sides confirm each other; the caller ensures that they belong to two members who
 * may use these callsigns. */
bool match_confirms(const struct match_side *a, const struct match_side *b);

/* The base callsign, without the parts that only say where or how the station operates, for a
 * callsign in the compared form. These parts are division numbers before or after it, and the
 * suffixes P, M, MM, AM and QRP: 161/21SD333, 21SD333/P and 161/21SD333/M all give 21SD333. If not
 * exactly one part remains, the result is the callsign itself. */
void match_base_callsign(const struct match_callsign *callsign, struct match_callsign *out);

bool match_equal_callsigns(const struct match_callsign *a, const struct match_callsign *b);

/* The ways in which two sides may differ. */
enum match_rule {
    MATCH_RULE_TIME,
    MATCH_RULE_BAND,
    MATCH_RULE_CHANNEL,
    MATCH_RULE_MODE,
    MATCH_RULE_CALLSIGN
};

/* True if the two sides are of the same two stations and would confirm each other but for one rule,
 * which *rule tells. On different bands the channel does not count. */
bool match_fails_by_one(const struct match_side *a, const struct match_side *b,
                        enum match_rule *rule);

/* True if only the callsigns differ, and their base is the same: one side wrote 161/21SD333, the
 * other 21SD333. Such sides do not confirm each other, because a prefix or suffix is part of a
 * callsign: a station that the other side did not log is never confirmed. */
bool match_fails_by_callsign(const struct match_side *a, const struct match_side *b);

/* TIME, BAND, CHANNEL, MODE or CALLSIGN. */
const char *match_rule_name(enum match_rule rule);

/* Callsigns are compared as operators write them: 21-SD-333, 21 SD 333 and 21sd333 are one. */
bool match_same_callsign(struct text a, struct text b);

/* The station callsign of a QSO. */
struct text match_station(const struct qso *qso, struct text member_callsign);

/* Special stations are on the air for an activation or an event; members count them in addition to
 * divisions and squares. Only this module knows their callsigns. */

/* True for the callsign of a special station, whatever the band: of a division, and
 * - with the unit 0: 201AT0/P, 19HN00;
 * - with the suffix 0, DX, DXP, EXP, SES, IOTA or the reference of an island: 315AT/0, 26AT101/DX,
 *   165SD/EU011;
 * - without a unit and with another suffix than those of moving stations: 13AT/WFF.
 * A unit is the number behind the group's letters. P, M, MM, AM, A, QRP and other digits than zeros
 * tell only how or where a station moves. */
bool special_is(const struct match_callsign *callsign);

#endif
