/* Saves a record after its QSO is found: as a new QSO, or joined with the stored one; and remembers
 * the record. */
#ifndef QSOSYNC_TRANSFER_JOINING_H
#define QSOSYNC_TRANSFER_JOINING_H

#include "store/log/qsos_save.h"
#include "transfer/matching.h"

/* The effect on a value of a stored QSO. */
enum joined_value {
    JOINED_CORRECTED, /* another one took its place */
    JOINED_KEPT       /* it stays, although the record has another one */
};

/* The values as the API writes them, no longer than JOINED_VALUE_MAX characters; no text: none. */
#define JOINED_VALUE_MAX 60
typedef void joined_visitor(void *context, enum joined_value kind, const struct field *field,
                            struct text before, struct text after);

struct joined {
    bool is_new, is_changed; /* neither: nothing was written of the QSO */
    bool is_corrected;       /* a value took the place of another */
    bool writes;             /* something was written, even if only the known record */
    /* The member's storage has no room for the extra fields; for the known record. */
    bool has_no_room, is_forgotten;
    struct saved_qso saved; /* a new or changed QSO */
};

/* Saves a record for which matching_find has answered MATCHING_NEW or MATCHING_STORED, in the same
 * transaction. A new QSO gets the record's clientId if it has one, or a random one. Results are
 * those of store_save_qso. visit: NULL, or called for values of a stored QSO. */
enum store_result joining_save(struct transaction *transaction, struct matching *matching,
                               const struct identity *writer, struct matching_record *record,
                               joined_visitor *visit, void *context, struct arena *arena,
                               struct joined *out);

#endif
