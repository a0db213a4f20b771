/* The state of a run of records, and the state of one search for the QSOs in a transaction. The
 * files matching_*.c share this state. */
#ifndef QSOSYNC_TRANSFER_MATCHING_STATE_H
#define QSOSYNC_TRANSFER_MATCHING_STATE_H

#include "base/arena.h"
#include "base/number_set.h"
#include "base/table.h"
#include "qso/contact.h"
#include "qso/contact_pairs.h"
#include "store/credentials.h"
#include "store/store.h"
#include "transfer/matching_record.h"
#include "transfer/matching_source.h"

struct matching {
    struct store *store;
    const struct identity *member;
    struct matching_source source;
    bool keeps;
    struct number_set *taken; /* ids of the QSOs that belong to records of the run */
    /* hashes of the run's earlier records, except repeated and deferred records */
    struct number_set *came;
    matching_visitor *visit; /* NULL: keys are not requested */
    void *context;
    /* The following members are for the current transaction. */
    struct contact_own own;
    bool looks_back; /* whether the log contains long contacts */
    int64_t room;    /* free bytes for data in addition to QSOs */
    bool is_full;    /* whether space is requested separately for each row */
};

/* A QSO to which a record can belong. */
struct matching_place {
    int64_t id;
    bool has_contact;
    struct contact contact;
    const struct qso *qso; /* NULL: not read so far */
};

struct matching_finding {
    struct matching *matching;
    struct matching_record *const *records;
    size_t count;
    struct arena *arena;
    struct matching_place *places;
    size_t place_count, place_capacity;
    struct table place_of; /* the place of each QSO, by the QSO's id */
    struct contact_pair *pairs;
    size_t pair_count, pair_capacity;
    /* for each record, the index of its place; for each place, the index of its record */
    size_t *qso_of, *record_of;
    int64_t *remembered; /* the id of each known record's QSO; 0: the record is not known */
    size_t first_alike;  /* index of the first place that was found by content */
};

#endif
