/* Sync with Ham2K PoLo: records from a phone become QSOs in the log, or are kept only for PoLo, and
 * the phone receives changes from elsewhere.
 *
 * After a 2xx answer, the phone assumes that everything in its request was accepted. The phone
 * accepts a record only if the record's updatedAtMillis is greater than that of its own record.
 * Each record is therefore accepted, or kept only for PoLo with the reason for its rejection, or
 * the phone receives the record that counts instead. */
#ifndef QSOSYNC_TRANSFER_POLO_H
#define QSOSYNC_TRANSFER_POLO_H

#include "json/scan.h"
#include "store/log/polo.h"
#include "transfer/matching_record.h"

/* maximum number of records of each kind in a request; PoLo sends 100 */
#define POLO_RECORDS_MAX 1000
#define POLO_BOUNDS                                                                                \
    {                                                                                              \
        .items_max = JSON_ITEMS_MAX, .lists = {"operations", "qsos"},                              \
        .elements_max = POLO_RECORDS_MAX                                                           \
    }

struct polo_entry {
    enum polo_kind kind;
    const struct polo_sent *sent;
    unsigned char uuid[UUID_BYTES];
    struct matching_record record; /* the QSO that the log receives */
    const char *reason; /* the reason for keeping the QSO out of the log; NULL: no reason */
    /* whether the QSO is for the log, or on another band; both are false if the record is
     * unreadable or not a QSO */
    bool is_for_log, is_elsewhere;
    bool is_matched; /* whether the record was matched with the log */
};

struct polo_request {
    struct text phone; /* a short name for the phone */
    struct polo_question question;
    struct polo_entry *entries;
    size_t count;
    int64_t sent[2]; /* numbers of operations and of QSOs that were sent */
};

/* Reads a request's JSON, within POLO_BOUNDS. The result is in the arena. */
enum store_result polo_read(struct store *store, struct text json, struct text callsign,
                            struct arena *arena, int64_t now_ms, struct polo_request *out);

/* Saves the request's records in the open write transaction. After any result except STORE_DONE,
 * the transaction can only be rolled back. */
enum store_result polo_save(struct transaction *transaction, const struct identity *member,
                            const struct polo_request *request);

/* The phone that has sent a request. */
struct polo_phone {
    const struct identity *member;
    const struct polo_account *account;
    const struct polo_request *request;
    int64_t now_ms;
    /* stamp of the records that this request has written; the phone does not need these records */
    int64_t own_ms;
};

/* Appends an array with the records of one kind that the phone needs, inside a read transaction.
 * *left is the number of records that do not fit. A phone that has more records to send receives no
 * records until it has sent all, because it would otherwise lose received records. */
enum store_result polo_append_records(struct store *store, const struct polo_phone *phone,
                                      enum polo_kind kind, struct buffer *out, int64_t *left);

#endif
