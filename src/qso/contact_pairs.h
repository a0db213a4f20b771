/* Pairs of records and QSOs that can be the same contact, and the choice among these pairs. */
#ifndef QSOSYNC_QSO_CONTACT_PAIRS_H
#define QSOSYNC_QSO_CONTACT_PAIRS_H

#include <stddef.h>
#include <stdint.h>

/* The reasons why a record can belong to a QSO, the strongest first. */
enum contact_rank {
    CONTACT_BY_ID,
    CONTACT_BY_MEMORY,
    CONTACT_WITHOUT_DIFFERENCE,
    CONTACT_WITH_ONE_DIFFERENCE
};

/* A record that can belong to a QSO; both are indexes in the caller's lists. */
struct contact_pair {
    size_t record, qso;
    enum contact_rank rank;
    int64_t apart_ms; /* time between the starts of the record and the QSO; not negative */
    int64_t age;      /* a number that is smaller for an older QSO */
};

/* The value in place of an index if a record has no QSO, or a QSO has no record. */
#define CONTACT_NONE SIZE_MAX

/* Assigns each record to at most one QSO, and at most one record to each QSO. Pairs with the
 * strongest reason are first, then the pairs nearest in time, then the oldest QSO, then the first
 * record. Sorts the pairs. Adds to qso_of and record_of, which contain CONTACT_NONE or an index. */
void contact_assign(struct contact_pair *pairs, size_t count, size_t *qso_of, size_t *record_of);

#endif
