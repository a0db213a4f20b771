/* Decides whether two members' QSOs are one contact that both sides have logged
 * (cross-confirmation).
 *
 * The store finds the QSOs. */
#ifndef QSOSYNC_QSO_MATCH_H
#define QSOSYNC_QSO_MATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "qso/match_callsign.h"
#include "qso/qso.h"

#define MATCH_WINDOW_MS INT64_C(900000) /* 15 minutes */
#define MATCH_NO_MODE (-1)
#define MATCH_FAMILIES_MAX (MODE_COUNT + 1) /* including MATCH_NO_MODE */

/* One side of a contact: the values that a confirmation compares. All values are copies. */
struct match_side {
    /* false: a callsign is missing, or the station was only heard; the other members then have no
     * meaning */
    bool confirmable;
    struct match_callsign station;
    struct match_callsign worked;
    int64_t qso_at_ms;
    int64_t band;
    int64_t channel;     /* 0: no channel */
    int64_t mode_family; /* MATCH_NO_MODE: no mode */
};

/* Reads a side from a QSO. The station is the operator callsign or, if that is empty, the member's
 * callsign. */
void match_read_side(const struct qso *qso, struct text member_callsign, struct match_side *out);

/* Returns the mode that represents the family of this mode. SSB, USB and LSB are one family. */
int64_t match_mode_family(int64_t mode);

/* Returns the number of the two-hour slot that contains the time. The store searches QSOs by this
 * number. */
#define MATCH_SLOT_MS (INT64_C(2) * 60 * 60 * 1000)
int64_t match_slot(int64_t ms);

/* Lists the mode families that the other side can have, including MATCH_NO_MODE. Returns the number
 * of families. */
size_t match_list_families(const struct match_side *side, int64_t families[MATCH_FAMILIES_MAX]);

/* Returns whether the two sides confirm each other. The caller ensures that the sides belong to two
 * members who may use these callsigns. */
bool match_confirms(const struct match_side *a, const struct match_side *b);

/* The rules for two sides that confirm each other. */
enum match_rule {
    MATCH_RULE_TIME,
    MATCH_RULE_BAND,
    MATCH_RULE_CHANNEL,
    MATCH_RULE_MODE,
    MATCH_RULE_CALLSIGN
};

/* Returns whether both sides have the same two stations and fail exactly one rule, which *rule
 * receives. If the bands differ, the channels are not compared. */
bool match_fails_by_one(const struct match_side *a, const struct match_side *b,
                        enum match_rule *rule);

/* Returns whether only the callsigns differ and their bases are the same. For example, one side has
 * logged 161/21SD333, the other 21SD333. These sides do not confirm each other, because a prefix or
 * suffix is part of a callsign. */
bool match_fails_by_callsign(const struct match_side *a, const struct match_side *b);

/* Returns TIME, BAND, CHANNEL, MODE or CALLSIGN. */
const char *match_rule_name(enum match_rule rule);

/* Returns the callsign that the QSO's station used. */
struct text match_station(const struct qso *qso, struct text member_callsign);

#endif
