/* Stores the records that Ham2K PoLo sends and receives, which are unchanged JSON.
 * src/transfer/polo_save.c decides which records become QSOs in the log, and which QSOs become
 * records.
 *
 * Functions with a transaction are called inside a write transaction. The caller owns all
 * arguments; nothing is kept. */
#ifndef QSOSYNC_STORE_POLO_H
#define QSOSYNC_STORE_POLO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/uuid.h"
#include "store/log/polo_request.h"
#include "store/transaction.h"

/* maximum total size of a member's records that are not in the log */
#define POLO_BYTES_MAX 1000000
#define POLO_RECORD_BYTES_MAX 65536 /* maximum size of one record */

/* The place where the current state of a record is stored. */
enum polo_place { POLO_IN_LOG, POLO_KEPT, POLO_DELETED, POLO_NOWHERE };

struct polo_state {
    enum polo_place place;
    int64_t stamp_ms;  /* stamp of the record's last write in this place */
    int64_t edited_ms; /* time at which the content in the log was written; 0: not known */
    bool is_in_log;    /* whether the log contains the QSO, even if the stored record is newer */
    bool is_as_sent;   /* whether the content in the log was created from `body` */
    /* Data about the record that the phone sent last. */
    bool was_sent;
    int64_t updated_ms;
    int64_t bytes;    /* number of bytes counted for the record towards POLO_BYTES_MAX; 0: none */
    struct text body; /* body of the record; empty: not stored */
    struct text client_id; /* UUID under which the record is stored */
    struct text alias;     /* UUID that PoLo uses for the record; no text: client_id */
};

/* Finds the state of a record. The texts are in the arena. */
enum store_result store_polo_find(struct store *store, int64_t member_id, enum polo_kind kind,
                                  const unsigned char uuid[UUID_BYTES], struct arena *arena,
                                  struct polo_state *out);

/* A record that a phone has sent, and the way in which the record will be stored. */
struct polo_keeping {
    int64_t member_id;
    enum polo_kind kind;
    const unsigned char *uuid; /* UUID under which the record is stored */
    struct text alias;         /* UUID that PoLo has sent, if it differs from `uuid` */
    struct text phone, body;
    /* reason, as text for the member, why the record is not in the log; no text: none */
    struct text reason;
    int64_t updated_ms;
    enum polo_place place;
    bool has_more; /* whether the QSO in the log has more data, so that the phone must receive it */
};

/* Stores a record that a phone has sent: with a QSO that was saved in this transaction, with the
 * deletion of a QSO, or only for PoLo. The last argument is the previous state of the record. If
 * the body does not fit, a reason replaces the body. If even the reason does not fit, nothing is
 * stored.
 */
enum store_result store_polo_keep(struct transaction *transaction,
                                  const struct polo_keeping *keeping,
                                  const struct polo_state *previous);

/* Removes the record of a QSO that was kept only for PoLo. */
enum store_result store_polo_forget(struct transaction *transaction, int64_t member_id,
                                    const unsigned char uuid[UUID_BYTES]);

/* Gives the current state of a record a new stamp, so that phones receive the record again. */
enum store_result store_polo_touch(struct transaction *transaction, int64_t member_id,
                                   enum polo_kind kind, const struct polo_state *state);

#endif
