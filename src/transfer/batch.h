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

#define BATCH_ENTRIES_MAX 200 /* API section 8 */
#define BATCH_LIST "entries"
#define BATCH_RULE "must be an array of 1 to " TEXT_OF(BATCH_ENTRIES_MAX) " QSOs"
#define BATCH_BOUNDS                                                                               \
    {                                                                                              \
        .items_max = JSON_ITEMS_MAX, .lists = {BATCH_LIST}, .elements_max = BATCH_ENTRIES_MAX      \
    }

struct matching_record;

/* Methods of finding an entry's QSO: by the entry's clientId, or by matching. With BATCH_FIND, the
 * QSO is only looked up, not saved. */
enum batch_match { BATCH_BY_ID, BATCH_MATCH, BATCH_FIND };

struct batch_entry {
    const struct json_value *client_id; /* the clientId as sent; NULL: the entry is not an object */
    struct qso qso;
    /* whether the entry contains baseSyncedAt, so that only an unchanged QSO is replaced */
    bool has_base;
    int64_t base_ms; /* baseSyncedAt: the version of the QSO that the client has changed */
    const struct rejection *rejection; /* NULL: the entry is accepted */
    struct saved_qso saved;
    int64_t synced_at_ms; /* syncedAt of the stored QSO, if the entry has a base */
    enum batch_match match;
    /* the record to match; NULL for BATCH_BY_ID */
    struct matching_record *record;
    bool is_matched; /* whether the entry was matched with a stored QSO, or with another entry */
    /* whether the stored QSO already has all values in the entry */
    bool is_unchanged;
    struct value matched_client_id; /* the clientId of the matched QSO */
};

struct batch {
    struct batch_entry *entries;
    size_t count;
};

/* Checks each entry in a body's object, which was read within BATCH_BOUNDS. The batch is in the
 * arena. Returns false if BATCH_LIST breaks BATCH_RULE; no entry may then be saved. */
bool batch_read(const struct json_fields *sent, struct arena *arena, struct batch *batch);

/* Saves the accepted entries in the open write transaction. If the store rejects an entry, the
 * entry receives the rejection. After any result except STORE_DONE, the transaction can only be
 * rolled back. */
enum store_result batch_save(struct transaction *transaction, const struct identity *member,
                             struct batch *batch, struct arena *arena);

/* Appends {"results":[…]} with a result for each entry, in the order of the entries. With
 * names_fields, each rejection contains the name of its field, or null; the API's answers do not
 * contain this name. */
void batch_append_results(const struct batch *batch, bool names_fields, struct buffer *body);

#endif
