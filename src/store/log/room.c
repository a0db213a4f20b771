/* Removes the oldest history of a member whose storage is full. store/storage.c reads how much
 * storage is used. */
#include "store/log/room.h"

#include "store/log/edits_removal.h"
#include "store/storage.h"
#include "store/store.h"

#define ROWS_AT_ONCE 500
#define ROWS_MAX 50000 /* maximum number of rows that one write removes */

static enum store_result drop_history(struct transaction *transaction, int64_t member_id,
                                      int64_t bytes, bool with_own, bool *fits)
{
    struct store *store = transaction->store;
    enum store_result result = STORE_DONE;
    *fits = false;
    for (int64_t rows = ROWS_MAX; result == STORE_DONE && rows > 0; rows -= ROWS_AT_ONCE) {
        struct storage storage;
        result = store_read_storage(store, member_id, &storage);
        if (result == STORE_DONE)
            *fits = storage_sum(&storage) + bytes <= store->storage_max;
        if (result != STORE_DONE || *fits)
            return result;
        result = edits_remove_oldest(transaction, member_id, ROWS_AT_ONCE, with_own);
    }
    return result == STORE_NONE ? STORE_DONE : result;
}

enum store_result store_make_room(struct transaction *transaction, int64_t member_id, int64_t bytes,
                                  bool *fits)
{
    return drop_history(transaction, member_id, bytes, false, fits);
}

enum store_result room_trim(struct transaction *transaction, int64_t member_id)
{
    bool fits;
    return drop_history(transaction, member_id, 0, true, &fits);
}
