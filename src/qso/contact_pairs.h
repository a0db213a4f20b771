/* Pairs of records and QSOs that can be one contact, and the choice among them. */
#ifndef QSOSYNC_QSO_CONTACT_PAIRS_H
#define QSOSYNC_QSO_CONTACT_PAIRS_H

#include <stddef.h>
#include <stdint.h>

/* How a record and a QSO belong together, the strongest first. */
enum contact_rank {
    CONTACT_BY_ID,
    CONTACT_BY_MEMORY,
    CONTACT_WITHOUT_DIFFERENCE,
    CONTACT_WITH_ONE_DIFFERENCE
};

/* A record that may be a QSO, both by their places in lists of the caller. */
struct contact_pair {
    size_t record, qso;
    enum contact_rank rank;
    int64_t apart_ms; /* between their starts; not negative */
    int64_t age;      /* of the QSO; the older, the smaller */
};

/* No QSO for a record, or no record for a QSO. */
#define CONTACT_NONE SIZE_MAX

/* Assigns records to QSOs, each to one at most: the strongest pairs first, then the nearest in
 * time, then the oldest QSO, then the first record. Sorts the pairs. Extends the contents of qso_of
 * and record_of, which hold CONTACT_NONE or an index. */
void contact_assign(struct contact_pair *pairs, size_t count, size_t *qso_of, size_t *record_of);

#endif
