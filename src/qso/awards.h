/* A log's awards: the divisions, squares and special stations that were worked, and for each item
 * the first QSO and the first confirmed QSO. A caller adds the QSOs one at a time between
 * awards_begin and awards_end.
 *
 * A QSO counts unless the station was only heard (qsoStatus HRD). Only a QSO in the other station's
 * log confirms a QSO (crossConfirmedAt). A received QSL is the member's own statement and does not
 * count. A callsign whose number is not a division's number counts for no division. */
#ifndef QSOSYNC_QSO_AWARDS_H
#define QSOSYNC_QSO_AWARDS_H

#include <stdint.h>

#include "base/arena.h"
#include "base/table.h"
#include "qso/award_cells.h"
#include "qso/award_names.h"
#include "qso/match_callsign.h"
#include "qso/place.h"
#include "qso/qso.h"

/* The earliest of several QSOs. If QSOs have the same time, the QSO with the lowest id counts. */
struct award_first {
    int64_t qso_at_ms, id;
    struct match_callsign callsign;
};

struct award_item {
    struct match_callsign name; /* such as 26, JO59 or 104AT/DX */
    int64_t qsos, confirmed;
    award_cells worked_in, confirmed_in;
    struct award_first first, first_confirmed;
    int64_t confirmed_at_ms; /* the earliest crossConfirmedAt; 0: not confirmed */
    /* the year of the QSO that was added last to the item, and whether the item was counted in that
     * year */
    const struct award_year *last_year;
    struct award_in_year *in_last_year;
};

/* The counts for a year (UTC): QSOs, and the items that were worked, worked for the first time, and
 * worked in a confirmed QSO in that year. */
struct award_year {
    int year;
    int64_t qsos;
    int64_t worked[AWARD_COUNTED], first[AWARD_COUNTED], confirmed[AWARD_COUNTED];
};

/* Maximum number of items in a list, which no member reaches. Further items are not counted. */
#define AWARD_ITEMS_MAX 40000

/* Number of squares in a field of the locator system, such as JO. */
#define AWARD_SQUARES_OF_FIELD 100

struct awards {
    struct arena *arena;
    struct table lists[AWARD_SUBJECTS]; /* entries of struct award_item, by item name */
    /* the lists' divisions and squares by their numbers; NULL: not worked */
    struct award_item **divisions, **squares[PLACE_SQUARES / AWARD_SQUARES_OF_FIELD];
    struct table all_years;       /* entries of struct award_year, by number of the year */
    struct award_year *last_year; /* the year of the QSO that was added last */
    struct table in_years;        /* entries of struct award_in_year, by year and item */
    struct award_year *years;     /* after awards_end: the years, newest first */
    size_t year_count;
    int64_t qsos, confirmed; /* numbers of all QSOs that count, and of those that are confirmed */
    /* number of QSOs whose callsign begins with a digit, but does not belong to a division */
    int64_t unknown;
    /* number of QSOs whose callsign does not begin with a digit, or that have no callsign */
    int64_t without_number;
};

/* Initialises empty awards, whose memory is in the arena. */
void awards_begin(struct awards *awards, struct arena *arena);

/* Adds a QSO, which must have at least the fields marked FIELD_COUNTED. QSOs can be added in any
 * order. */
void awards_add(struct awards *awards, const struct qso *qso);

/* Counts each year's new items and sorts the years. Call this function after the last QSO. */
void awards_end(struct awards *awards);

/* Returns the item with this name, or NULL if the item was not worked. */
const struct award_item *awards_find(const struct awards *awards, enum award_subject subject,
                                     struct text name);

#endif
