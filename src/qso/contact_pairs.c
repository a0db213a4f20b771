/* Assigns records to QSOs in one pass over the sorted pairs. */
#include "qso/contact_pairs.h"

#include <stdlib.h>

static int order_of(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int compare_pairs(const void *one, const void *other)
{
    const struct contact_pair *a = one, *b = other;
    int order = order_of(a->rank, b->rank);
    order = order ? order : order_of(a->apart_ms, b->apart_ms);
    order = order ? order : order_of(a->age, b->age);
    return order ? order : order_of((int64_t)a->record, (int64_t)b->record);
}

void contact_assign(struct contact_pair *pairs, size_t count, size_t *qso_of, size_t *record_of)
{
    if (count > 0)
        qsort(pairs, count, sizeof *pairs, compare_pairs);
    for (size_t i = 0; i < count; i++)
        if (qso_of[pairs[i].record] == CONTACT_NONE && record_of[pairs[i].qso] == CONTACT_NONE) {
            qso_of[pairs[i].record] = pairs[i].qso;
            record_of[pairs[i].qso] = pairs[i].record;
        }
}
