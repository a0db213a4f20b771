/* The state of a run of records, and of one search for the QSOs of a transaction. The files of the
 * matching share it. */
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
    struct number_set *taken; /* QSOs that are records of the run */
    struct number_set *came;  /* hashes of records that were found */
    matching_visitor *visit;  /* NULL: not requested */
    void *context;
    /* For the present transaction. */
    struct contact_own own;
    bool looks_back; /* the log has long contacts */
    int64_t room;    /* free bytes for data in addition to QSOs */
    bool is_full;    /* the store is asked for each row whether it fits */
};

/* A QSO that a record may be. */
struct matching_place {
    int64_t id;
    bool has_contact;
    struct contact contact;
    const struct qso *qso; /* NULL: not read */
};

struct matching_finding {
    struct matching *matching;
    struct matching_record *const *records;
    size_t count;
    struct arena *arena;
    struct matching_place *places;
    size_t place_count, place_capacity;
    struct table place_of; /* place by the QSO's id */
    struct contact_pair *pairs;
    size_t pair_count, pair_capacity;
    size_t *qso_of, *record_of; /* indexes of these lists, by the places of records and QSOs */
    int64_t *remembered;        /* the QSO known for each record; 0: none */
    size_t first_alike;         /* index of the first place after ids and memory */
};

#endif
