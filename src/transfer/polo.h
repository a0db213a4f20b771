/* Sync with Ham2K PoLo: what a phone sends becomes QSOs of the log or is kept for PoLo alone, and
 * the phone is given what has changed elsewhere.
 *
 * The phone believes that all of a request was taken once the answer is 2xx, and takes a record
 * only if its updatedAtMillis is greater than its own. So each record is taken, or kept with the
 * reason, or the phone is given the one that counts instead. */
#ifndef QSOSYNC_TRANSFER_POLO_H
#define QSOSYNC_TRANSFER_POLO_H

#include "adif/mapping.h"
#include "json/scan.h"
#include "store/polo.h"

#define POLO_RECORDS_MAX 1000 /* of each kind, in a request; PoLo sends 100 */
#define POLO_BOUNDS                                                                                \
    {                                                                                              \
        .items_max = JSON_ITEMS_MAX, .lists = {"operations", "qsos"},                              \
        .elements_max = POLO_RECORDS_MAX                                                           \
    }

struct polo_entry {
    enum polo_kind kind;
    const struct polo_sent *sent;
    unsigned char uuid[UUID_BYTES];
    struct mapped mapped; /* of a QSO that the log takes */
    const char *reason;   /* why it does not, in words; NULL: it does, or it needs no reason */
    bool is_for_log, is_elsewhere; /* neither: it cannot be read, or is no QSO */
};

struct polo_request {
    struct text phone; /* a short name for the one that sends it */
    struct polo_question question;
    struct polo_entry *entries;
    size_t count;
    int64_t sent[2]; /* how many records by kind */
};

/* Reads a request's JSON, within these bounds; all of it lives in the arena. */
enum store_result polo_read(struct store *store, struct text json, struct text callsign,
                            struct arena *arena, int64_t now_ms, struct polo_request *out);

/* Saves all of it in the open write transaction. After anything but STORE_DONE it can only be
 * rolled back. */
enum store_result polo_save(struct transaction *transaction, const struct identity *member,
                            const struct polo_request *request);

/* Appends the array of what the phone is to be given of a kind, inside a read transaction; what the
 * request itself has written, at own_ms, is not. *left is how many do not fit. A phone that has
 * more to send is given nothing before that, because what it is given would replace it. */
enum store_result polo_append_records(struct store *store, const struct identity *member,
                                      const struct polo_account *account,
                                      const struct polo_request *request, enum polo_kind kind,
                                      int64_t now_ms, int64_t own_ms, struct buffer *out,
                                      int64_t *left);

#endif
