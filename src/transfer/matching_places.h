/* The places of QSOs that records may be, and the pairs of records and places. */
#ifndef QSOSYNC_TRANSFER_MATCHING_PLACES_H
#define QSOSYNC_TRANSFER_MATCHING_PLACES_H

#include "transfer/matching_state.h"

/* Describes the contact of a QSO, which lasted length_ms. */
void matching_describe_place(const struct matching_finding *finding, const struct qso *qso,
                             int64_t length_ms, struct contact *out);

/* Reads the QSO of a place. */
enum store_result matching_read_place(struct matching_finding *finding, size_t index);

/* Returns the place of a QSO that the record may be, if only in another run. */
size_t matching_find_place(struct matching_finding *finding, size_t record, int64_t id);

/* Adds the pair of a record and a place. */
void matching_add_pair(struct matching_finding *finding, size_t record, size_t place,
                       enum contact_rank rank);

/* Returns the time between the starts of the two contacts of a pair. */
int64_t matching_apart_ms(const struct matching_finding *finding, const struct contact_pair *pair);

/* Assigns records to QSOs by the pairs, and forgets the pairs. */
void matching_assign(struct matching_finding *finding);

#endif
