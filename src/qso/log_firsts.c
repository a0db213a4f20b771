/* Keeps the earliest QSO with each division, square and special station. If QSOs have the same
 * time, the QSO with the lowest id counts, as for awards. */
#include "qso/log_firsts.h"

#include <stdlib.h>

#include "qso/divisions.h"
#include "qso/match.h"
#include "qso/match_callsign.h"
#include "qso/place.h"
#include "qso/special.h"

#define MODES (MODE_COUNT + 1) /* each mode, and QSOs without a mode */
#define IN_DIVISION (BAND_COUNT * MODES)

void log_firsts_begin(struct log_firsts *firsts, struct arena *arena)
{
    firsts->arena = arena;
    firsts->in_divisions = arena_allocate_zeroed(arena, (size_t)DIVISIONS_END * IN_DIVISION *
                                                            sizeof *firsts->in_divisions);
    firsts->squares = arena_allocate_zeroed(arena, PLACE_SQUARES * sizeof *firsts->squares);
    table_begin(&firsts->special, arena, sizeof(struct log_first_qso));
}

/* Returns whether QSO a is earlier than QSO b, or there is no QSO b. */
static bool is_earlier(const struct log_first_qso *a, const struct log_first_qso *b)
{
    if (b->id == 0 || a->qso_at_ms != b->qso_at_ms)
        return b->id == 0 || a->qso_at_ms < b->qso_at_ms;
    return a->id < b->id;
}

static void keep_earlier(struct log_first_qso *first, const struct log_first_qso *qso)
{
    if (qso->id != 0 && is_earlier(qso, first))
        *first = *qso;
}

void log_firsts_add(struct log_firsts *firsts, const struct qso *qso, int division, int square)
{
    const struct log_first_qso this = {qso->values[FIELD_QSO_AT].integer,
                                       qso->values[FIELD_ID].integer};
    struct match_callsign callsign;
    if (qso_integer_or(qso, FIELD_QSO_STATUS, QSO_STATUS_WKD) == QSO_STATUS_HRD)
        return;
    if (square >= 0)
        keep_earlier(&firsts->squares[square], &this);
    if (division == DIVISIONS_NONE)
        return;
    const int64_t mode = match_mode_family(qso_integer_or(qso, FIELD_MODE, MATCH_NO_MODE));
    const int64_t cell = qso->values[FIELD_BAND].integer * MODES + mode - MATCH_NO_MODE;
    keep_earlier(&firsts->in_divisions[division * IN_DIVISION + cell], &this);
    match_normalise_callsign(qso_text(qso, FIELD_CALLSIGN_WORKED), &callsign);
    if (special_is(&callsign))
        keep_earlier(table_at(&firsts->special, match_text(&callsign)), &this);
}

struct listing {
    struct log_listed_first *list;
    size_t count;
};

static void take(struct listing *to, const struct log_first_qso *first, enum log_firsts_kind kind)
{
    if (first->id != 0)
        to->list[to->count++] = (struct log_listed_first){first->qso_at_ms, first->id, kind};
}

/* Lists the QSOs that were new for a division. A QSO without a mode is not new in a mode. */
static void take_division(struct listing *to, const struct log_first_qso *cells)
{
    struct log_first_qso first = {0};
    for (int band = 0; band < BAND_COUNT; band++) {
        struct log_first_qso on_band = {0};
        for (int mode = 0; mode < MODES; mode++) {
            const struct log_first_qso *cell = &cells[band * MODES + mode];
            keep_earlier(&on_band, cell);
            if (mode > 0)
                take(to, cell, LOG_FIRST_MODE);
        }
        take(to, &on_band, LOG_FIRST_BAND);
        keep_earlier(&first, &on_band);
    }
    take(to, &first, LOG_FIRST_DIVISION);
}

/* Compares by id, and then by kind, the most valuable kind first. */
static int compare_listed(const void *a, const void *b)
{
    const struct log_listed_first *left = a, *right = b;
    if (left->id != right->id)
        return left->id < right->id ? -1 : 1;
    return (int)right->kind - (int)left->kind;
}

size_t log_firsts_list(const struct log_firsts *firsts, struct log_listed_first **list)
{
    const size_t most = (size_t)DIVISIONS_END * (IN_DIVISION + BAND_COUNT + 1) + PLACE_SQUARES +
                        firsts->special.count;
    struct listing all = {.list = arena_allocate(firsts->arena, most * sizeof **list)};
    size_t count = 0;
    for (int division = 0; division < DIVISIONS_END; division++)
        take_division(&all, &firsts->in_divisions[division * IN_DIVISION]);
    for (int square = 0; square < PLACE_SQUARES; square++)
        take(&all, &firsts->squares[square], LOG_FIRST_SQUARE);
    for (const struct table_entry *at = firsts->special.first; at; at = at->next)
        take(&all, (const struct log_first_qso *)at->value, LOG_FIRST_SPECIAL);
    qsort(all.list, all.count, sizeof *all.list, compare_listed);
    for (size_t i = 0; i < all.count; i++)
        if (count == 0 || all.list[i].id != all.list[count - 1].id)
            all.list[count++] = all.list[i];
    *list = all.list;
    return count;
}
