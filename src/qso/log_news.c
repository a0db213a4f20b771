/* Keeps the earliest QSO with each division, square and special station. If QSOs have the same
 * time, the QSO with the lowest id counts, as for awards. */
#include "qso/log_news.h"

#include <stdlib.h>

#include "qso/divisions.h"
#include "qso/match.h"
#include "qso/match_callsign.h"
#include "qso/place.h"
#include "qso/special.h"

#define MODES (MODE_COUNT + 1) /* each mode, and QSOs without a mode */
#define IN_DIVISION (BAND_COUNT * MODES)

void log_news_begin(struct log_news *news, struct arena *arena)
{
    news->arena = arena;
    news->in_divisions = arena_allocate_zeroed(arena, (size_t)DIVISIONS_END * IN_DIVISION *
                                                          sizeof *news->in_divisions);
    news->squares = arena_allocate_zeroed(arena, PLACE_SQUARES * sizeof *news->squares);
    table_begin(&news->special, arena, sizeof(struct log_news_first));
}

/* Returns whether QSO a is earlier than QSO b, or there is no QSO b. */
static bool is_earlier(const struct log_news_first *a, const struct log_news_first *b)
{
    if (b->id == 0 || a->qso_at_ms != b->qso_at_ms)
        return b->id == 0 || a->qso_at_ms < b->qso_at_ms;
    return a->id < b->id;
}

static void keep_earlier(struct log_news_first *first, const struct log_news_first *qso)
{
    if (qso->id != 0 && is_earlier(qso, first))
        *first = *qso;
}

void log_news_add(struct log_news *news, const struct qso *qso, int division, int square)
{
    const struct log_news_first this = {qso->values[FIELD_QSO_AT].integer,
                                        qso->values[FIELD_ID].integer};
    struct match_callsign callsign;
    if (qso_integer_or(qso, FIELD_QSO_STATUS, QSO_STATUS_WKD) == QSO_STATUS_HRD)
        return;
    if (square >= 0)
        keep_earlier(&news->squares[square], &this);
    if (division == DIVISIONS_NONE)
        return;
    const int64_t mode = match_mode_family(qso_integer_or(qso, FIELD_MODE, MATCH_NO_MODE));
    const int64_t cell = qso->values[FIELD_BAND].integer * MODES + mode - MATCH_NO_MODE;
    keep_earlier(&news->in_divisions[division * IN_DIVISION + cell], &this);
    match_normalise_callsign(qso_text(qso, FIELD_CALLSIGN_WORKED), &callsign);
    if (special_is(&callsign))
        keep_earlier(table_at(&news->special, match_text(&callsign)), &this);
}

struct listing {
    struct log_news_qso *list;
    size_t count;
};

static void take(struct listing *to, const struct log_news_first *first, enum log_news_kind kind)
{
    if (first->id != 0)
        to->list[to->count++] = (struct log_news_qso){first->id, kind};
}

/* Lists the QSOs that were new for a division. A QSO without a mode is not new in a mode. */
static void take_division(struct listing *to, const struct log_news_first *cells)
{
    struct log_news_first first = {0};
    for (int band = 0; band < BAND_COUNT; band++) {
        struct log_news_first on_band = {0};
        for (int mode = 0; mode < MODES; mode++) {
            const struct log_news_first *cell = &cells[band * MODES + mode];
            keep_earlier(&on_band, cell);
            if (mode > 0)
                take(to, cell, LOG_NEWS_MODE);
        }
        take(to, &on_band, LOG_NEWS_BAND);
        keep_earlier(&first, &on_band);
    }
    take(to, &first, LOG_NEWS_DIVISION);
}

/* Compares by id, and then by kind, the most valuable kind first. */
static int compare_news(const void *a, const void *b)
{
    const struct log_news_qso *left = a, *right = b;
    if (left->id != right->id)
        return left->id < right->id ? -1 : 1;
    return (int)right->kind - (int)left->kind;
}

size_t log_news_list(const struct log_news *news, struct log_news_qso **list)
{
    const size_t most = (size_t)DIVISIONS_END * (IN_DIVISION + BAND_COUNT + 1) + PLACE_SQUARES +
                        news->special.count;
    struct listing all = {.list = arena_allocate(news->arena, most * sizeof **list)};
    size_t count = 0;
    for (int division = 0; division < DIVISIONS_END; division++)
        take_division(&all, &news->in_divisions[division * IN_DIVISION]);
    for (int square = 0; square < PLACE_SQUARES; square++)
        take(&all, &news->squares[square], LOG_NEWS_SQUARE);
    for (const struct table_entry *at = news->special.first; at; at = at->next)
        take(&all, (const struct log_news_first *)at->value, LOG_NEWS_SPECIAL);
    qsort(all.list, all.count, sizeof *all.list, compare_news);
    for (size_t i = 0; i < all.count; i++)
        if (count == 0 || all.list[i].id != all.list[count - 1].id)
            all.list[count++] = all.list[i];
    *list = all.list;
    return count;
}
