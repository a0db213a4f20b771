/* Confirms the clock for an operator, after a jump that made QSOsync doubt the clock. */
#include "store/clock_confirmation.h"

#include "store/ageing.h"
#include "store/operator_log.h"
#include "store/store.h"
#include "store/transaction.h"

enum store_result store_confirm_clock(struct store *store)
{
    struct transaction transaction;
    struct ageing ageing;
    enum store_result result = store_begin_write(store, &transaction);
    if (result == STORE_DONE) {
        store_old_before(&transaction, 0); /* records the clock's state, unless a recent record
                                            * exists */
        result = store_read_ageing(store, &ageing);
    }
    if (result == STORE_DONE) {
        ageing.doubted_ms = 0;
        ageing.confirmed_ms = transaction.stamp_ms;
        result = ageing_write(store, &ageing);
    }
    THEN(result,
         operator_log_note(&transaction, "clock confirm", (struct text){0}, (struct text){0}));
    return store_finish(&transaction, result);
}
