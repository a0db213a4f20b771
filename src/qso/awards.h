/* The value of a log: the divisions, squares and special stations worked in it, which of them are
 * confirmed, and by which QSO first.
 * Pure: QSOs are added one after the other.
 *
 * A QSO counts unless the station was only heard (qsoStatus HRD). Confirmed is what another
 * member's QSO confirms (crossConfirmedAt); a QSL that came is the member's own word and confirms
 * nothing. A callsign whose number belongs to no division counts for none. */
#ifndef QSOSYNC_QSO_AWARDS_H
#define QSOSYNC_QSO_AWARDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/table.h"
#include "qso/match.h"
#include "qso/qso.h"

/* The last one counts callsigns whose number is not a division's. */
enum award_subject {
    AWARD_DIVISIONS,
    AWARD_SQUARES,
    AWARD_SPECIAL,
    AWARD_COUNTED,
    AWARD_UNKNOWN = AWARD_COUNTED,
    AWARD_SUBJECTS
};

/* "divisions", "squares", "special", "unknown". */
const char *award_subject_name(enum award_subject subject);

/* A bit for a band and a mode: of award_cell. */
typedef uint32_t award_cells;
_Static_assert(BAND_COUNT *(MODE_COUNT + 1) <= 32, "each band and mode has a bit");

/* The bit of a band (or of BAND_COUNT: all bands) and a mode (MATCH_NO_MODE: none given; MODE_COUNT
 * all of them, and none given). */
award_cells award_cells_of(int band, int mode);

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

/* The numbers of items worked and confirmed, in any of these cells. */
void awards_count_items(const struct awards *awards, enum award_subject subject, award_cells cells,
                        int64_t *worked, int64_t *confirmed);

/* Numbers of items that members aim at. */
struct award_threshold {
    enum award_subject subject;
    int64_t items;
};
extern const struct award_threshold award_thresholds[];
extern const size_t award_threshold_count;

/* When a threshold was passed: the time of the QSO that made enough items worked, or the time at
 * which enough of them were confirmed. False: not yet. */
bool awards_find_passing(const struct awards *awards, const struct award_threshold *threshold,
                         bool confirmed, int64_t *ms);

/* The items' names in order: divisions by number, all else by text. The array is the arena's. */
const struct award_item **awards_list(const struct awards *awards, enum award_subject subject);

/* -- What is new ------------------------------------------------------------------------------- */

/* The gains that a QSO can bring to the log, in ascending order of value. */
enum award_needed {
    AWARD_NOTHING,     /* it is confirmed, or there is nothing to count */
    AWARD_UNCONFIRMED, /* worked, nowhere confirmed */
    AWARD_NEW_IN_MODE, /* worked on this band, not in this mode; SSB, USB and LSB are one */
    AWARD_NEW_ON_BAND,
    AWARD_NEW
};

struct award_question {
    struct text callsign, locator; /* no text: unknown */
    int band;
    int mode; /* MATCH_NO_MODE: unknown, and never new */
};

void awards_find_needed(const struct awards *awards, const struct award_question *question,
                        enum award_needed needed[AWARD_COUNTED]);

#endif
