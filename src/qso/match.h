/* Normalises callsigns for comparison, recognises those of special stations, and decides whether
 * two members' QSOs are one contact, seen from both ends (cross-confirmation).
 *
 * Pure: the store finds the QSOs. */
#ifndef QSOSYNC_QSO_MATCH_H
#define QSOSYNC_QSO_MATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "qso/match_callsign.h"
#include "qso/qso.h"

#define MATCH_WINDOW_MS INT64_C(900000) /* 15 minutes */
#define MATCH_NO_MODE (-1)
#define MATCH_FAMILIES_MAX (MODE_COUNT + 1) /* and MATCH_NO_MODE */

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

/* The station callsign of a QSO. */
struct text match_station(const struct qso *qso, struct text member_callsign);

#endif
