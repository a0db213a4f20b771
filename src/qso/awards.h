/* The value of a log: the divisions, squares and special stations worked in it, which of them are
 * confirmed, and by which QSO first.
 * Pure: QSOs are added one after the other.
 *
 * A QSO counts unless the station was only heard (qsoStatus HRD). Confirmed is what another
 * member's QSO confirms (crossConfirmedAt); a QSL that came is the member's own word and confirms
 * nothing. A callsign whose number belongs to no division counts for none. */
#ifndef QSOSYNC_QSO_AWARDS_H
#define QSOSYNC_QSO_AWARDS_H

#include <stdint.h>

#include "base/arena.h"
#include "base/table.h"
#include "qso/award_cells.h"
#include "qso/award_names.h"
#include "qso/match_callsign.h"
#include "qso/qso.h"

/* The earliest QSO, and among QSOs of the same time the one with the lowest id. */
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

/* How many items were worked in a year (UTC), worked in it for the first time, and confirmed by a
 * QSO of that year. */
struct award_year {
    int year;
    int64_t qsos;
    int64_t worked[AWARD_COUNTED], first[AWARD_COUNTED], confirmed[AWARD_COUNTED];
};

/* More callsigns than anyone works; beyond it, callsigns are no longer distinguished. */
#define AWARD_ITEMS_MAX 40000

struct awards {
    struct arena *arena;
    struct table lists[AWARD_SUBJECTS]; /* struct award_item, by its name */
    struct table all_years;             /* struct award_year, by its number */
    struct table in_years;              /* the items that were counted, for each year */
    struct award_year *years;           /* after awards_end: newest first */
    size_t year_count;
    int64_t qsos, confirmed; /* all that count */
    int64_t unknown;         /* QSOs with a callsign whose number is not a division's */
    int64_t without_number;  /* QSOs without a number, or without a callsign */
};

/* Begins with nothing; the memory is the arena's. */
void awards_begin(struct awards *awards, struct arena *arena);

/* Adds a QSO that has at least the fields that are FIELD_FILTERED, in any order. */
void awards_add(struct awards *awards, const struct qso *qso);

/* After the last QSO: fills in what the years brought for the first time, and sorts them. */
void awards_end(struct awards *awards);

/* The item of this name; NULL: not worked. */
const struct award_item *awards_find(const struct awards *awards, enum award_subject subject,
                                     struct text name);

#endif
