/* Marks two QSOs as two different contacts. */
#include "transfer/doubles.h"

#include "base/arena.h"
#include "store/log/candidates.h"
#include "store/log/qsos.h"
#include "store/log/room.h"
#include "store/storage.h"

static enum store_result find_both(struct store *store, int64_t member_id, int64_t one,
                                   int64_t other, struct arena *arena)
{
    struct qso qso;
    enum store_result result = store_find_own_qso(store, member_id, one, arena, &qso);
    return THEN(result, store_find_own_qso(store, member_id, other, arena, &qso));
}

static enum store_result tell_apart(struct transaction *transaction, int64_t member_id, int64_t one,
                                    int64_t other)
{
    struct store *store = transaction->store;
    bool are_apart = false, fits = true;
    enum store_result result =
        store_have_ids_of_one_program(store, member_id, one, other, &are_apart);
    if (result != STORE_DONE || are_apart)
        return result;
    result = store_make_room(transaction, member_id, 2 * (STORAGE_OF_ID + 1), &fits);
    if (result == STORE_DONE && !fits)
        return STORE_FULL;
    return THEN(result, store_tell_apart(transaction, member_id, one, other));
}

enum store_result doubles_set_apart(struct transaction *transaction, const struct identity *member,
                                    int64_t one, int64_t other, bool are_apart)
{
    struct arena arena = {0};
    const int64_t member_id = member->member_id;
    enum store_result result = one == other ? STORE_CONFLICT : STORE_DONE;
    THEN(result, find_both(transaction->store, member_id, one, other, &arena));
    THEN(result, are_apart ? tell_apart(transaction, member_id, one, other)
                           : store_tell_no_longer_apart(transaction, member_id, one, other));
    arena_free(&arena);
    return result;
}
