/* The awards of a log: the divisions, squares and special stations that were worked, and the first
 * QSOs that worked and confirmed each of them. A caller adds the QSOs one by one between
 * awards_begin and awards_end.
 *
 * A QSO counts unless the station was only heard (qsoStatus HRD). Only another member's QSO
 * confirms it (crossConfirmedAt). A received QSL is the member's own statement and does not count.
 * A callsign whose number is not a division's counts for no division. */
#ifndef QSOSYNC_QSO_AWARDS_H
#define QSOSYNC_QSO_AWARDS_H

#include <stdint.h>

#include "base/arena.h"
#include "base/table.h"
#include "qso/award_cells.h"
#include "qso/award_names.h"
#include "qso/match_callsign.h"
#include "qso/qso.h"

/* The earliest QSO. If several QSOs have the same time, the lowest id counts. */
struct award_first {
    int64_t qso_at_ms, id;
    struct match_callsign callsign;
};

struct award_item {
    struct match_callsign name; /* 26, JO59, 104AT/DX */
    int64_t qsos, confirmed;
    award_cells worked_in, confirmed_in;
    struct award_first first, first_confirmed;
    int64_t confirmed_at_ms; /* the first crossConfirmedAt; 0: not confirmed */
};

/* Counts of items in a year (UTC): worked, worked for the first time, and confirmed by a QSO in
 * that year. */
struct award_year {
    int year;
    int64_t qsos;
    int64_t worked[AWARD_COUNTED], first[AWARD_COUNTED], confirmed[AWARD_COUNTED];
};

/* More callsigns than anyone works. Further callsigns are not counted. */
#define AWARD_ITEMS_MAX 40000

struct awards {
    struct arena *arena;
    struct table lists[AWARD_SUBJECTS]; /* struct award_item, by its name */
    struct table all_years;             /* struct award_year, by its number */
    struct table in_years;              /* the items that were counted, for each year */
    struct award_year *years;           /* after awards_end: newest first */
    size_t year_count;
    int64_t qsos, confirmed; /* all QSOs that count */
    int64_t unknown;         /* QSOs with a callsign whose number is not a division's */
    int64_t without_number;  /* QSOs without a number, or without a callsign */
};

/* Begins empty awards, whose memory is in the arena. */
void awards_begin(struct awards *awards, struct arena *arena);

/* Adds a QSO that has at least the fields that are FIELD_FILTERED, in any order. */
void awards_add(struct awards *awards, const struct qso *qso);

/* Counts the new items of each year and sorts the years. Call it after the last QSO. */
void awards_end(struct awards *awards);

/* Returns the item with this name; NULL: not worked. */
const struct award_item *awards_find(const struct awards *awards, enum award_subject subject,
                                     struct text name);

#endif
