/* The records that Ham2K PoLo sends and receives: JSON, stored unchanged. src/transfer/polo_save.c
 * decides which of them become QSOs of the log, and the reverse. */
#ifndef QSOSYNC_STORE_POLO_H
#define QSOSYNC_STORE_POLO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/uuid.h"
#include "store/transaction.h"

/* The numbers are stored. */
enum polo_kind { POLO_OPERATION, POLO_QSO, POLO_SETTINGS };

#define POLO_BYTES_MAX 1000000      /* for a member's records that are in no log */
#define POLO_RECORD_BYTES_MAX 65536 /* for one record */

/* A record of a request, with the data for a QSO of the log; texts live in the arena. */
struct polo_sent {
    struct text body, uuid;
    int64_t updated_ms; /* its stamp, by the phone's clock */
    int64_t qso_at_ms;
    bool is_deleted, is_event;
    bool is_data;     /* its mode is digital, and not named */
    struct text adif; /* the record, as leftovers_list takes it apart */
};

/* The objects of the list at this path ("$.qsos") of a request, which is JSON. */
enum store_result store_polo_read_sent(struct store *store, struct text request, const char *path,
                                       struct arena *arena, struct polo_sent **out, size_t *count);

/* The part of a request for one kind. */
struct polo_query {
    bool is_there;               /* false: the phone requests nothing */
    int64_t after_ms, before_ms; /* stamps, neither included */
    bool goes_back;              /* newest first */
    bool wants_own;              /* includes records that this phone has sent before */
    int64_t limit;
    int64_t unsent; /* records on the phone, including those of this request */
};

struct polo_question {
    struct polo_query queries[2]; /* indexed by kind */
    struct text settings;         /* no text: none */
};
enum store_result store_polo_read_question(struct store *store, struct text request,
                                           struct arena *arena, struct polo_question *out);

/* The token's owner. UUIDs as texts in the arena. */
struct polo_account {
    struct text callsign;
    struct text uuid;
    struct text operation;          /* UUID of the operation for QSOs that PoLo did not log */
    int64_t phone_epoch, log_epoch; /* they differ after a restore: the phone has another log */
};
enum store_result store_polo_read_account(struct store *store, int64_t token, struct arena *arena,
                                          struct polo_account *out);
enum store_result store_polo_note_epoch(struct transaction *transaction, int64_t token);

/* Ensures that the account's operation exists. */
enum store_result store_polo_add_operation(struct transaction *transaction, int64_t member_id,
                                           const struct polo_account *account, int64_t now_ms);

/* Where the present state of a record is. */
enum polo_place { POLO_IN_LOG, POLO_KEPT, POLO_DELETED, POLO_NOWHERE };

struct polo_state {
    enum polo_place place;
    int64_t stamp_ms;  /* stamp of its last write there */
    int64_t edited_ms; /* when its content in the log was written; 0: not known */
    bool is_in_log;    /* even if the stored record is newer */
    bool is_as_sent;   /* the log's content was made from `body` */
    /* The record that the phone has sent last. */
    bool was_sent;
    int64_t updated_ms;
    int64_t bytes;    /* bytes that it counts; 0: none */
    struct text body; /* empty: it was not kept */
    /* The UUID under which all of it is stored, and the one by which PoLo knows it instead (no
     * text: the same). */
    struct text client_id, alias;
};
enum store_result store_polo_find(struct store *store, int64_t member_id, enum polo_kind kind,
                                  const unsigned char uuid[UUID_BYTES], struct arena *arena,
                                  struct polo_state *out);

/* Stores a record that a phone has sent: with a QSO that was saved in this transaction, with the
 * deletion of a QSO, or else only for PoLo. The last has the reason in words, if the member should
 * see it (no text: none). "former" is its previous state. If the record does not fit, that is the
 * reason, and its body is not stored. */
struct polo_keeping {
    int64_t member_id;
    enum polo_kind kind;
    const unsigned char *uuid; /* under which it is stored */
    struct text alias;         /* the UUID that PoLo has sent, if it is another one */
    struct text phone, body, reason;
    int64_t updated_ms;
    enum polo_place place;
    bool has_more; /* the QSO of the log has more than the record: the phone gets it back */
};
enum store_result store_polo_keep(struct transaction *transaction,
                                  const struct polo_keeping *keeping,
                                  const struct polo_state *former);

/* After it was kept for PoLo alone. */
enum store_result store_polo_forget(struct transaction *transaction, int64_t member_id,
                                    const unsigned char uuid[UUID_BYTES]);

/* Gives the present state a new stamp, so that the phone gets it again. */
enum store_result store_polo_touch(struct transaction *transaction, int64_t member_id,
                                   enum polo_kind kind, const struct polo_state *state);

/* A request for the records that a phone gets. */
struct polo_giving {
    int64_t member_id;
    struct text callsign;  /* callsign of the member */
    struct text operation; /* operation of QSOs that PoLo never sent */
    enum polo_kind kind;
    const struct polo_query *query;
    int64_t limit; /* instead of the query's */
    struct text phone;
    int64_t own_ms, now_ms;
};

/* Appends the requested records, as elements of a JSON array, by their stamps, inside a read
 * transaction. Records from the phone itself are omitted, unless it wants them; those with a stamp
 * from own_ms on are always omitted. *left is the number that does not fit: the phone's cursor is a
 * stamp, so records with one stamp are given together. */
enum store_result store_polo_list_changes(struct store *store, const struct polo_giving *giving,
                                          struct buffer *out, int64_t *left);

struct polo_counts {
    int64_t operations, kept, qsos;
};
enum store_result store_polo_count(struct store *store, int64_t member_id, struct polo_counts *out);

/* Calls visit for each reason why QSOs are kept for PoLo alone, and how many. */
enum store_result store_polo_list_reasons(struct store *store, int64_t member_id,
                                          void (*visit)(void *context, struct text reason,
                                                        int64_t records),
                                          void *context);

#endif
