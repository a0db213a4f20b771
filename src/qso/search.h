/* Searches QSOs for words, for example "bari 2026-05 27,555". */
#ifndef QSOSYNC_QSO_SEARCH_H
#define QSOSYNC_QSO_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/text.h"
#include "qso/qso.h"

struct search_term;

/* A search, whose memory is in the arena. If all members are 0, every QSO is found. */
struct search {
    struct search_term *terms;
    size_t count, capacity;
    /* the texts of the QSO that is being compared, unfolded and folded */
    struct buffer *plain, *folded;
};

/* Reads words, separated by white space. A word has one or more terms, separated by "|". A QSO is
 * found if each word has a term that fits the QSO:
 *   2026-05-17, 2026-05   the QSO's day or month, with "?" for any digit, such as ????-05
 *   2026                  the QSO's year, or as any other term
 *   #26                   the division's number, or as any other term
 *   27,555 as any other term, and also as 27.555
 *   any other             part of a text or of the frequency, as the API writes both, ignoring case
 *                         and accents; or part of a callsign, ignoring separators
 * Returns false, with *search unchanged, if the text has no term. */
bool search_read(struct text text, struct arena *arena, struct search *search);

/* Returns whether the search finds the QSO. The QSO must have all fields. */
bool search_finds(const struct search *search, const struct qso *qso);

#endif
