/* Re-evaluates confirmations after members have changed. Reviews a whole log if its member is
 * active again or has another callsign. Also reviews all QSOs under a callsign that no longer
 * belongs to a member. Ends the claims by peers under a callsign that now belongs to a member.
 * Triggers in the schema record the reviews, so no review is forgotten, regardless of the program
 * that changes a member. Each transaction does a part, so that other writers can write in between,
 * and stores the place at which the next part continues. confirm/confirmations.c and
 * confirm/claims.c decide about a single QSO. */
#include "store/people/reviews.h"

#include "base/budget.h"
#include "base/clock.h"
#include "base/progress.h"
#include "store/confirm/claims.h"
#include "store/confirm/confirmations.h"
#include "store/log/page_counts.h"
#include "store/log/qsos.h"
#include "store/store.h"

#define SLICE 500 /* number of QSOs and claims that one transaction reviews */
#define PAUSE_MS INT64_C(60000)

struct review {
    int64_t id;
    int64_t member_id; /* owner of the log to review; 0: the review is for a callsign */
    struct text callsign;
    int64_t before_ms;
    struct position after;
    bool is_owned; /* whether the callsign belongs to a member */
};

static const struct read_column columns[] =
    COLUMNS(COLUMN(review, id, "id"), COLUMN(review, member_id, "member_id"),
            COLUMN(review, callsign, "callsign_key"), COLUMN(review, before_ms, "before"),
            COLUMN(review, after.synced_at_ms, "synced_at"), COLUMN(review, after.id, "qso_id"),
            COLUMN(review, is_owned, "is_owned"));

/* The review functions below do at most *left steps, and reduce *left with each step. These
 * functions return STORE_NONE if no step is left to do. */

/* Sets callsign_unicode, which is missing from rows from older programs. */
static enum store_result fold_member(struct store *store, int64_t member_id)
{
    struct arena arena = {0};
    struct match_callsign key;
    struct text callsign = {0};
    struct statement *find =
        store_with(store, STATEMENT_FIND_CALLSIGN_TO_FOLD, BIND("id", member_id));
    enum store_result result = database_step(store->database, find);
    if (result == STORE_DONE)
        callsign = database_keep_text(find, "callsign", &arena);
    sqlite3_reset(find->handle);
    THEN(result, store_run(store, STATEMENT_UPDATE_CALLSIGN_UNICODE, BIND("id", member_id),
                           BIND("callsign_unicode", match_find_unicode_key(callsign, &key))));
    arena_free(&arena);
    return result == STORE_NONE ? STORE_DONE : result;
}

static enum store_result fold_qso(struct transaction *transaction, int64_t member_id, int64_t id)
{
    struct store *store = transaction->store;
    struct match_callsign worked, station;
    struct text worked_key = {0}, station_key = {0};
    struct statement *find = store_with(store, STATEMENT_FIND_CALLSIGNS_TO_FOLD, BIND("id", id));
    enum store_result result = database_step(store->database, find);
    if (result == STORE_DONE) {
        worked_key = match_find_unicode_key(database_read_text(find, "callsign_worked"), &worked);
        station_key =
            match_find_unicode_key(database_read_text(find, "operator_callsign"), &station);
    }
    sqlite3_reset(find->handle);
    THEN(result, page_counts_take(transaction, member_id, id));
    THEN(result,
         store_run(store, STATEMENT_UPDATE_QSO_UNICODE, BIND("id", id),
                   BIND("worked_unicode", worked_key), BIND("operator_unicode", station_key)));
    THEN(result, page_counts_add(transaction, member_id, id));
    return result == STORE_NONE ? STORE_DONE : result;
}

/* Reviews a log. A QSO whose confirmation changes gets a later stamp. The QSO is then no longer in
 * the part of the log that must still be visited. */
static enum store_result review_log(struct transaction *transaction, struct review *review,
                                    int *left)
{
    int64_t confirmed_by;
    enum store_result result = fold_member(transaction->store, review->member_id);
    for (; result == STORE_DONE && *left > 0; --*left) {
        result = qsos_find_next(transaction->store, review->member_id, review->before_ms,
                                &review->after, &confirmed_by);
        THEN(result, fold_qso(transaction, review->member_id, review->after.id));
        THEN(result, confirmations_review(transaction, review->after.id, confirmed_by));
        budget_renew(); /* each QSO has its own budget; the number of QSOs is limited */
    }
    return result;
}

struct station_claim {
    int64_t id, peer_id;
    /* QSO that the claim confirms, and the time of the confirmation; 0: none */
    int64_t qso_id, claimed_at_ms;
    struct text station;
};

static enum store_result end_claim(struct transaction *transaction,
                                   const struct station_claim *claim)
{
    struct store *store = transaction->store;
    enum store_result result = store_run(store, STATEMENT_NOTE_SKIPPED, BIND("id", claim->peer_id),
                                         BIND("callsign", claim->station));
    THEN(result, claims_remove(transaction, claim->id));
    if (claim->qso_id)
        THEN(result, store_run(store, STATEMENT_KEEP_CLAIMED_AT, BIND("id", claim->qso_id),
                               BIND("claimed_at", claim->claimed_at_ms)));
    return result;
}

/* Ends claims by peers under a callsign that a member has gained. */
static enum store_result end_claims(struct transaction *transaction, struct review *review,
                                    int *left)
{
    static const struct read_column claim_columns[] = COLUMNS(
        COLUMN(station_claim, id, "id"), COLUMN(station_claim, peer_id, "peer_id"),
        COLUMN(station_claim, qso_id, "qso_id"), COLUMN(station_claim, claimed_at_ms, "claimed_at"),
        COLUMN(station_claim, station, "station"));
    struct arena arena = {0};
    struct station_claim claim;
    enum store_result result = STORE_DONE;
    for (; result == STORE_DONE && *left > 0; --*left) {
        result = store_find(transaction->store, claim_columns, &arena, &claim,
                            STATEMENT_FIND_CLAIM_OF_STATION, BIND("station", review->callsign));
        THEN(result, end_claim(transaction, &claim));
        budget_renew();
    }
    arena_free(&arena);
    return result;
}

/* Reviews QSOs under a callsign that belongs to no member: each of these QSOs can now be confirmed,
 * regardless of the member who logged it. */
static enum store_result review_callsign(struct transaction *transaction, struct review *review,
                                         int *left)
{
    enum store_result result = STORE_DONE;
    for (; result == STORE_DONE && *left > 0; --*left) {
        result = store_find_integer(
            transaction->store, "id", &review->after.id, STATEMENT_FIND_NEXT_QSO_UNDER_CALLSIGN,
            BIND("callsign", review->callsign), BIND("after", review->after.id));
        THEN(result, confirmations_review(transaction, review->after.id, 0));
        budget_renew();
    }
    return result;
}

static enum store_result do_part(struct transaction *transaction, struct review *review, int *left)
{
    struct store *store = transaction->store;
    enum store_result result = review->member_id  ? review_log(transaction, review, left)
                               : review->is_owned ? end_claims(transaction, review, left)
                                                  : review_callsign(transaction, review, left);
    if (result == STORE_NONE)
        return store_run(store, STATEMENT_DELETE_REVIEW, BIND("id", review->id));
    return THEN(result, store_run(store, STATEMENT_UPDATE_REVIEW, BIND("id", review->id),
                                  BIND("synced_at", review->after.synced_at_ms),
                                  BIND("qso_id", review->after.id)));
}

/* Does the part of all reviews that fits into one transaction. Stores in *is_done whether no review
 * is left. */
static enum store_result do_slice(struct transaction *transaction, bool *is_done)
{
    struct store *store = transaction->store;
    struct arena arena = {0};
    struct review review;
    enum store_result result = STORE_DONE;
    for (int left = SLICE; result == STORE_DONE && left > 0;) {
        result = store_find(store, columns, &arena, &review, STATEMENT_FIND_REVIEW);
        THEN(result, do_part(transaction, &review, &left));
    }
    *is_done = result == STORE_NONE;
    arena_free(&arena);
    return *is_done ? STORE_DONE : result;
}

static enum store_result finish(struct transaction *transaction, enum store_result result,
                                bool *is_done)
{
    *is_done = true;
    THEN(result, do_slice(transaction, is_done));
    return store_finish(transaction, result);
}

enum store_result store_review_all(struct store *store)
{
    bool is_left = false;
    enum store_result result = store_has(store, &is_left, STATEMENT_HAS_REVIEW);
    progress_begin("deciding confirmations");
    for (bool is_done = !is_left; result == STORE_DONE && !is_done;) {
        struct transaction transaction;
        result = store_begin_write(store, &transaction);
        result = finish(&transaction, result, &is_done);
    }
    return result;
}

enum store_result reviews_finish(struct transaction *transaction, enum store_result result)
{
    bool is_done;
    struct store *store = transaction->store;
    progress_begin("deciding confirmations");
    result = finish(transaction, result, &is_done);
    if (result == STORE_DONE && !is_done)
        store_review_all(store);
    return result;
}

void store_review_some(struct store *store)
{
    struct transaction transaction;
    bool is_left = false;
    const int64_t now_ms = clock_monotonic_ms();
    if (!store || now_ms < store->review_again_ms)
        return;
    store->review_again_ms = now_ms + PAUSE_MS;
    if (store_has(store, &is_left, STATEMENT_HAS_REVIEW) != STORE_DONE || !is_left ||
        store_try_begin_write(store, &transaction) != STORE_DONE)
        return;
    if (finish(&transaction, STORE_DONE, &is_left) == STORE_DONE && !is_left)
        store->review_again_ms = now_ms;
}
