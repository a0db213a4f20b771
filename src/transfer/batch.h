/* A batch: QSOs that a program or a page sends to be added or updated. Each entry is accepted or
 * rejected separately, and all accepted entries are saved in one transaction (API section 4.4). The
 * API and the profile share this code. */
#ifndef QSOSYNC_TRANSFER_BATCH_H
#define QSOSYNC_TRANSFER_BATCH_H

#include "base/arena.h"
#include "base/buffer.h"
#include "json/read.h"
#include "qso/fields.h"
#include "qso/qso.h"
#include "store/log/qsos_save.h"

#define BATCH_ENTRIES_MAX 200 /* (API section 8) */
#define BATCH_LIST "entries"
#define BATCH_RULE "must be an array of 1 to " TEXT_OF(BATCH_ENTRIES_MAX) " QSOs"
#define BATCH_BOUNDS                                                                               \
    {                                                                                              \
        .items_max = JSON_ITEMS_MAX, .lists = {BATCH_LIST}, .elements_max = BATCH_ENTRIES_MAX      \
    }

struct matching_record;

/* The search for the QSO of an entry: by its clientId, or by matching. BATCH_FIND only looks up the
 * QSO. */
enum batch_match { BATCH_BY_ID, BATCH_MATCH, BATCH_FIND };

struct batch_entry {
    const struct json_value *client_id; /* as sent; NULL: the entry is not an object */
    struct qso qso;
    bool has_base;   /* baseSyncedAt: only a QSO that has not changed since then */
    int64_t base_ms; /* is replaced */
    const struct rejection *rejection; /* NULL: accepted */
    struct saved_qso saved;
    int64_t synced_at_ms; /* stamp of the stored QSO if it is newer than the base */
    enum batch_match match;
    struct matching_record *record; /* unless it is found by its clientId */
    bool is_matched;                /* the QSO is already stored, */
    bool is_unchanged;              /* with all values of the entry, */
    struct value matched_client_id; /* under this clientId */
};

struct batch {
    struct batch_entry *entries;
    size_t count;
};

/* Checks each entry in a body's object, which was read within BATCH_BOUNDS. The batch is in the
 * arena. Returns false if BATCH_LIST breaks BATCH_RULE, so that no entry may be saved. */
bool batch_read(const struct json_fields *sent, struct arena *arena, struct batch *batch);

/* Saves the accepted entries in the open write transaction. An entry that the store rejects gets a
 * rejection. After any result but STORE_DONE the transaction can only be rolled back. */
enum store_result batch_save(struct transaction *transaction, const struct identity *member,
                             struct batch *batch, struct arena *arena);

/* Appends {"results":[…]} with a result for each entry, in the order of the entries. With
 * names_fields, each rejection has the name of its field, or null; the API's answers have no such
 * name. */
void batch_append_results(const struct batch *batch, bool names_fields, struct buffer *body);

#endif
