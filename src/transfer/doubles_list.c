/* Lists duplicates. The store finds pairs of QSOs that are close in time. */
#include "transfer/doubles.h"

#include "base/arena.h"
#include "store/log/candidates.h"
#include "store/storage.h"
#include "transfer/doubles_pair.h"
#include "transfer/matching.h"
#include "transfer/matching_own.h"

struct listing {
    struct doubles_log log;
    doubles_visitor *visit;
    void *context;
};

/* Visits a pair, together with the QSO that a merge would leave, including the kept QSO's id and
 * time of creation. */
static void visit_pair(const struct listing *listing, const struct qso *older,
                       const struct qso *newer, bool keeps_older, struct arena *arena)
{
    struct qso merged;
    const struct qso *kept = keeps_older ? older : newer, *gone = keeps_older ? newer : older;
    doubles_join(&listing->log, kept, gone, arena, &merged);
    merged.values[FIELD_ID] = kept->values[FIELD_ID];
    merged.values[FIELD_CREATED_AT] = kept->values[FIELD_CREATED_AT];
    listing->visit(listing->context, &(struct doubles_pair){older, newer, &merged});
}

static enum store_result tell_pair(const struct listing *listing, const struct near_pair *pair)
{
    struct arena arena = {0};
    struct doubles_side one, other;
    bool keeps_one = true;
    enum store_result result =
        doubles_read_side(&listing->log, pair->one, pair->length_ms, &arena, &one);
    THEN(result, doubles_read_side(&listing->log, pair->other, 0, &arena, &other));
    THEN(result, doubles_compare(&listing->log, &one, &other));
    THEN(result, doubles_is_kept(&listing->log, &one, &other, &keeps_one));
    if (result == STORE_DONE)
        visit_pair(listing, &one.qso, &other.qso, keeps_one, &arena);
    arena_free(&arena);
    return result == STORE_CONFLICT ? STORE_DONE : result;
}

/* Limits the number of pairs. If there are too many, the pairs in the last pair's slot are left for
 * the next part, unless all pairs are in that slot. */
static size_t cut(const struct near_pair *pairs, size_t count, int64_t *below, bool *has_more)
{
    if (count < DOUBLES_PAIRS_MAX)
        return count;
    const int64_t last = pairs[count - 1].slot;
    *has_more = true;
    *below = last;
    if (pairs[0].slot == last)
        return count;
    while (pairs[count - 1].slot == last)
        count--;
    *below = last + 1;
    return count;
}

enum store_result doubles_list(struct store *store, int64_t member_id, int64_t *below,
                               bool *has_more, doubles_visitor *visit, void *context)
{
    struct arena arena = {0};
    struct listing listing = {
        .log = {.store = store, .member_id = member_id}, .visit = visit, .context = context};
    struct near_pairs near = {0};
    int64_t next = -DOUBLES_BEGIN;
    enum store_result result =
        store_find_slot_below(store, member_id, *below, DOUBLES_QSOS_MAX, &next);
    *has_more = result == STORE_DONE;
    if (result == STORE_NONE)
        result = STORE_DONE;
    THEN(result, matching_read_own(store, member_id, &arena, &listing.log.own));
    const struct near_pair_search search = {
        .member_id = member_id, .above = next - 1, .below = *below, .limit = DOUBLES_PAIRS_MAX};
    THEN(result, store_list_near_pairs(store, &search, &arena, &near));
    *below = next;
    if (result == STORE_DONE)
        near.count = cut(near.pairs, near.count, below, has_more);
    for (size_t i = 0; i < near.count && result == STORE_DONE; i++)
        result = tell_pair(&listing, &near.pairs[i]);
    arena_free(&arena);
    return result;
}
