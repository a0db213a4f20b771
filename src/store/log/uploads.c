/* Stores whether uploads are on. An operator decides this for the whole logbook. The decision has a
 * stamp, because a restore keeps the later decision. */
#include "store/log/uploads.h"

#include "store/operator_log.h"
#include "store/store.h"
#include "store/transaction.h"

enum store_result store_read_uploads(struct store *store, bool *on)
{
    int64_t uploads = 0;
    enum store_result result =
        store_find_integer(store, "uploads", &uploads, STATEMENT_READ_UPLOADS);
    if (result == STORE_DONE)
        *on = uploads != 0;
    return result;
}

enum store_result store_set_uploads(struct store *store, bool on)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, store_run(store, STATEMENT_UPDATE_UPLOADS, BIND("uploads", on),
                           BIND("uploads_set_at", transaction.stamp_ms)));
    THEN(result, operator_log_note(&transaction, on ? "uploads on" : "uploads off",
                                   (struct text){0}, (struct text){0}));
    return store_finish(&transaction, result);
}
