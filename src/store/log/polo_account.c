/* Reads the account that belongs to a token for PoLo. */
#include "store/log/polo_account.h"

#include "base/uuid.h"
#include "store/store.h"

enum store_result store_polo_read_account(struct store *store, int64_t token, struct arena *arena,
                                          struct polo_account *out)
{
    static const struct read_column columns[] =
        COLUMNS(COLUMN(polo_account, callsign, "callsign"), COLUMN(polo_account, uuid, "account"),
                COLUMN(polo_account, operation, "operation"),
                COLUMN(polo_account, phone_epoch, "polo_epoch"),
                COLUMN(polo_account, log_epoch, "log_epoch"));
    return store_find(store, columns, arena, out, STATEMENT_READ_POLO_ACCOUNT, BIND("id", token));
}

enum store_result store_polo_note_epoch(struct transaction *transaction, int64_t token)
{
    return store_run(transaction->store, STATEMENT_UPDATE_POLO_EPOCH, BIND("id", token));
}

enum store_result store_polo_add_operation(struct transaction *transaction, int64_t member_id,
                                           const struct polo_account *account, int64_t now_ms)
{
    unsigned char uuid[UUID_BYTES];
    if (!uuid_parse_text(account->operation, uuid))
        return STORE_BROKEN;
    return store_run(transaction->store, STATEMENT_INSERT_POLO_OPERATION,
                     BIND("member_id", member_id), BIND_BLOB("uuid", uuid, UUID_BYTES),
                     BIND("synced_at", transaction->stamp_ms),
                     BIND("operation", account->operation), BIND("callsign", account->callsign),
                     BIND("created_at", now_ms));
}
