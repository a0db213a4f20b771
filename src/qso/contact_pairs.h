/* Pairs of records and QSOs that can be one contact, and the choice among them. */
#ifndef QSOSYNC_QSO_CONTACT_PAIRS_H
#define QSOSYNC_QSO_CONTACT_PAIRS_H

#include <stddef.h>
#include <stdint.h>

/* The reasons why a record can be a QSO, the strongest first. */
enum contact_rank {
    CONTACT_BY_ID,
    CONTACT_BY_MEMORY,
    CONTACT_WITHOUT_DIFFERENCE,
    CONTACT_WITH_ONE_DIFFERENCE
};

/* A record that can be a QSO, as indexes of the caller's lists. */
struct contact_pair {
    size_t record, qso;
    enum contact_rank rank;
    int64_t apart_ms; /* time between their starts; not negative */
    int64_t age;      /* an older QSO has a smaller number */
};

/* The index of a record without a QSO, or of a QSO without a record. */
#define CONTACT_NONE SIZE_MAX

/* Assigns each record to at most one QSO: the strongest pairs first, then the nearest in time, then
 * the oldest QSO, then the first record. Sorts the pairs. Extends the contents of qso_of and
 * record_of, which hold CONTACT_NONE or an index. */
void contact_assign(struct contact_pair *pairs, size_t count, size_t *qso_of, size_t *record_of);

#endif
