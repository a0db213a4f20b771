/* The places, which are QSOs that records can belong to, and the pairs of records and places. */
#ifndef QSOSYNC_TRANSFER_MATCHING_PLACES_H
#define QSOSYNC_TRANSFER_MATCHING_PLACES_H

#include "transfer/matching_state.h"

/* Describes a QSO's contact, which lasted length_ms. */
void matching_describe_place(const struct matching_finding *finding, const struct qso *qso,
                             int64_t length_ms, struct contact *out);

/* Reads the QSO at a place. */
enum store_result matching_read_place(struct matching_finding *finding, size_t index);

/* Returns the index of the place for a QSO to which the record can belong. Calls the visitor of
 * matching_tell with the QSO's id. */
size_t matching_find_place(struct matching_finding *finding, size_t record, int64_t id);

/* Adds a pair of a record and a place. */
void matching_add_pair(struct matching_finding *finding, size_t record, size_t place,
                       enum contact_rank rank);

/* Returns the time between the starts of the two contacts in a pair. */
int64_t matching_apart_ms(const struct matching_finding *finding, const struct contact_pair *pair);

/* Assigns records to QSOs by the pairs, and then removes all pairs. */
void matching_assign(struct matching_finding *finding);

#endif
