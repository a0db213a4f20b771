/* Reads the account that a phone uses: the owner of the phone's PoLo token. */
#ifndef QSOSYNC_STORE_POLO_ACCOUNT_H
#define QSOSYNC_STORE_POLO_ACCOUNT_H

#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "store/transaction.h"

struct polo_account {
    struct text callsign;
    struct text uuid;
    /* UUID of the operation that contains the QSOs not logged with PoLo */
    struct text operation;
    /* log epochs of the phone and of the logbook; they differ after a restore */
    int64_t phone_epoch, log_epoch;
};

/* Reads the token's account. The texts are in the arena. */
enum store_result store_polo_read_account(struct store *store, int64_t token, struct arena *arena,
                                          struct polo_account *out);

/* Records that the phone has the log in its current epoch. */
enum store_result store_polo_note_epoch(struct transaction *transaction, int64_t token);

/* Ensures that the account's operation exists. */
enum store_result store_polo_add_operation(struct transaction *transaction, int64_t member_id,
                                           const struct polo_account *account, int64_t now_ms);

#endif
