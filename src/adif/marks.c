/* Finds the next <EOR> or <EOH> for the reader, which asks again whenever more bytes have come. One
 * stretch without a mark is remembered, with the mark that ends it, so that the work grows with the
 * bytes and not with the questions. What a mark means is left to reader.c. */
#include "adif/marks.h"

#include <string.h>

#include "adif/lengths.h"

/* The stretch begins later than asked for: it is made longer, or a mark before it is found. */
static void search_before(struct marks *known, struct text bytes, const char *mark, size_t from)
{
    size_t end = known->from + strlen(mark) - 1; /* of a mark that begins before */
    struct text part = {bytes.bytes + from, (end < bytes.length ? end : bytes.length) - from};
    size_t found = lengths_find_mark(part, mark);
    if (found < part.length)
        *known = (struct marks){from, from + found, true};
    known->from = from;
}

size_t marks_find(struct marks *known, struct text bytes, const char *mark, size_t from)
{
    if (from > known->at)
        *known = (struct marks){from, from, false};
    else if (from < known->from)
        search_before(known, bytes, mark, from);
    if (known->found)
        return known->at;
    struct text rest = {bytes.bytes + known->at, bytes.length - known->at};
    size_t found = lengths_find_mark(rest, mark), begun = strlen(mark) - 1;
    known->found = found < rest.length;
    if (known->found) {
        known->at += found;
        return known->at;
    }
    known->at += rest.length > begun ? rest.length - begun : 0; /* one may have begun */
    return bytes.length;
}

void marks_shift(struct marks *known, size_t count)
{
    if (known->at < count)
        *known = (struct marks){0};
    else
        *known = (struct marks){known->from > count ? known->from - count : 0, known->at - count,
                                known->found};
}
