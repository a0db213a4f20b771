/* Saves a record after its QSO is found: as a new QSO, or joined with the stored QSO. Remembers the
 * record.
 *
 *     struct joining joining = {.transaction = ..., .matching = ..., .writer = ..., .arena = ...};
 *     matching_find(matching, ...);
 *     for each record that is new or stored: joining_save(&joining, record, &joined) */
#ifndef QSOSYNC_TRANSFER_JOINING_H
#define QSOSYNC_TRANSFER_JOINING_H

#include "store/log/qsos_save.h"
#include "transfer/joined_values.h"
#include "transfer/matching.h"

struct joined {
    bool is_new, is_changed; /* both false: the QSO was not written */
    bool is_corrected;       /* whether a value was replaced */
    bool writes;             /* whether data was written, even if only the known record */
    /* whether the member's storage has no space for the extra fields, and for the known record */
    bool has_no_room, is_forgotten;
    struct saved_qso saved; /* the QSO, if new or changed */
};

/* The data for saving the records in one transaction. */
struct joining {
    struct transaction *transaction;
    struct matching *matching;
    const struct identity *writer;
    struct joined_watch watch;
    struct arena *arena;
};

/* Saves a record for which matching_find has returned MATCHING_NEW or MATCHING_STORED, in the same
 * transaction. A new QSO receives the record's clientId, or else a random clientId. Returns the
 * same results as store_save_qso. */
enum store_result joining_save(const struct joining *joining, struct matching_record *record,
                               struct joined *out);

#endif
