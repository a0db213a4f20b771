/* Chooses the claims to request from peers, and stores each page of an answer as a whole.
 * src/peers/visit.c sends the requests. All stamps here are the peer's, and are never compared with
 * ours. A visit requests the claims about each member once: first all claims about new members,
 * then changes to claims about all other members. If our members have changed, the visit requests
 * all claims about all members. After an interrupted visit, the next visit continues after the last
 * stored page. A page that is received twice changes nothing. */
#include "store/club/claims_fetch.h"

#include <stdlib.h>

#include "qso/match.h"
#include "store/confirm/claims.h"
#include "store/club/claims_serve.h"
#include "store/club/peers.h"
#include "store/store.h"

/* Makes the following pulls from the peer request all claims about all members again. */
static enum store_result restart(struct store *store, int64_t peer_id)
{
    enum store_result result = store_run(store, STATEMENT_BEGIN_ROUND, BIND("id", peer_id));
    return THEN(result,
                store_run(store, STATEMENT_BEGIN_ROUND_OF_MEMBERS, BIND("peer_id", peer_id)));
}

/* Begins a visit. If our members have changed, the visit requests all claims again. Callsigns that
 * are no longer requested are then deleted, with all claims about these callsigns. */
static enum store_result begin_visit(struct transaction *transaction, int64_t peer_id)
{
    struct store *store = transaction->store;
    int64_t is_outdated = 0; /* whether members have changed since the round began */
    enum store_result result = store_find_integer(store, "is_outdated", &is_outdated,
                                                  STATEMENT_BEGIN_VISIT, BIND("id", peer_id));
    if (is_outdated) {
        THEN(result, restart(store, peer_id));
        THEN(result, claims_remove_all(transaction,
                                       store_with(store, STATEMENT_LIST_CLAIMS_ABOUT_GONE_MEMBERS,
                                                  BIND("peer_id", peer_id))));
        THEN(result,
             store_run(store, STATEMENT_DELETE_GONE_PEER_MEMBERS, BIND("peer_id", peer_id)));
    }
    return THEN(result, store_run(store, STATEMENT_ADD_ALL_PEER_MEMBERS, BIND("peer_id", peer_id)));
}

/* Chooses at most CLAIMING_MEMBERS_MAX members for a pull: the members of an interrupted pull, or
 * else new members, or else other members. The request begins at the earliest time of the chosen
 * members, so some changes may be received again. */
static enum store_result choose_members(struct store *store, struct arena *arena, struct pull *pull)
{
    const bool is_pulling = pull->cursor.bytes;
    size_t to_ask = 0;
    enum store_result result = STORE_DONE;
    struct statement *list =
        store_with(store, STATEMENT_LIST_PEER_MEMBERS_TO_ASK, BIND("peer_id", pull->peer_id),
                   BIND("visit", pull->visit), BIND("pulling", is_pulling));
    pull->since_ms = INT64_MAX;
    for (; database_next(store->database, list, &result); to_ask++) {
        const int64_t since_ms = database_read_integer(list, "since");
        if (since_ms == 0 && pull->since_ms != 0)
            pull->count = 0;
        else if ((since_ms == 0) != (pull->since_ms == 0) || pull->count == CLAIMING_MEMBERS_MAX)
            continue;
        if (since_ms < pull->since_ms)
            pull->since_ms = since_ms;
        pull->callsigns[pull->count++] = database_keep_text(list, "callsign_key", arena);
    }
    pull->is_last = !is_pulling && pull->count == to_ask;
    return result;
}

enum store_result store_begin_pull(struct store *store, struct arena *arena, int64_t peer_id,
                                   bool begins_visit, struct pull *out)
{
    static const struct read_column columns[] =
        COLUMNS(COLUMN(pull, epoch, "epoch"), COLUMN(pull, cursor, "cursor"),
                COLUMN(pull, round, "round"), COLUMN(pull, visit, "visit"));
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    *out = (struct pull){.peer_id = peer_id};
    if (begins_visit)
        THEN(result, begin_visit(&transaction, peer_id));
    THEN(result, store_find(store, columns, arena, out, STATEMENT_BEGIN_PULL, BIND("id", peer_id)));
    THEN(result, choose_members(store, arena, out));
    return store_finish(&transaction, result);
}

static enum store_result note_visit(struct transaction *transaction, int64_t peer_id,
                                    const char *failure, bool is_complete)
{
    return store_run(transaction->store, STATEMENT_UPDATE_PEER_VISIT, BIND("id", peer_id),
                     BIND("asked_at", transaction->written_at_ms),
                     BIND_IF(is_complete, "answered_at", transaction->written_at_ms),
                     BIND("failure", text_of(failure)));
}

enum store_result store_record_visit(struct store *store, int64_t id, const char *failure,
                                     bool is_complete)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, note_visit(&transaction, id, failure, is_complete));
    return store_finish(&transaction, result);
}

/* The maximum number of a peer's claims: a base, plus a number for each of our QSOs. More claims
 * cannot all be contacts with our members. A page that would exceed the maximum is not stored. */
#define CLAIMS_FREE INT64_C(10000)
#define CLAIMS_FOR_EACH_QSO 4

static int compare_texts(const void *a, const void *b)
{
    return text_compare(*(const struct text *)a, *(const struct text *)b);
}

static bool was_asked_for(const struct pull *pull, struct text callsign)
{
    return bsearch(&callsign, pull->callsigns, pull->count, sizeof callsign, compare_texts) != NULL;
}

static bool is_strange(const struct pull *pull, const struct pull_page *page)
{
    for (size_t i = 0; i < page->claim_count; i++)
        if (!was_asked_for(pull, match_text(&page->claims[i].side.worked)))
            return true;
    return false;
}

/* Stores in *too_many whether this number of claims is too great for the number of our QSOs. Counts
 * no more QSOs than the decision needs. */
static enum store_result are_too_many(struct store *store, int64_t claims, bool *too_many)
{
    const int64_t needed = claims > CLAIMS_FREE ? (claims - CLAIMS_FREE + CLAIMS_FOR_EACH_QSO - 1) /
                                                      CLAIMS_FOR_EACH_QSO
                                                : 0;
    return store_has(store, too_many, STATEMENT_HAS_FEWER_QSOS, BIND("needed", needed));
}

#define BIND_SIDE(side)                                                                            \
    BIND("station_key", match_text(&(side)->station)),                                             \
        BIND("worked_key", match_text(&(side)->worked)), BIND("band", (side)->band),               \
        BIND("channel", (side)->channel),                                                          \
        BIND_IF((side)->mode_family != MATCH_NO_MODE, "mode", (side)->mode_family),                \
        BIND("qso_at", (side)->qso_at_ms)

struct known_claim {
    int64_t id; /* 0: the claim does not exist */
    bool is_same;
};

static enum store_result take_claim(struct transaction *transaction, const struct pull *pull,
                                    const struct pulled_claim *claim, int64_t *added)
{
    static const struct read_column columns[] =
        COLUMNS(COLUMN(known_claim, id, "id"), COLUMN(known_claim, is_same, "is_same"));
    struct store *store = transaction->store;
    struct known_claim known = {0};
    bool has_other_owner = false;
    int64_t qso_id = 0;
    enum store_result result = store_find(store, columns, NULL, &known, STATEMENT_FIND_KNOWN_CLAIM,
                                          BIND("peer_id", pull->peer_id),
                                          BIND("number", claim->number), BIND_SIDE(&claim->side));
    if (known.is_same) {
        result = store_run(store, STATEMENT_UPDATE_CLAIM_ROUND, BIND("id", known.id),
                           BIND("round", pull->round));
        return THEN(result, claims_offer(transaction, known.id));
    }
    if (result == STORE_DONE || result == STORE_NONE)
        result = store_has(store, &has_other_owner, STATEMENT_FIND_OTHER_OWNER,
                           BIND("station", match_text(&claim->side.station)),
                           BIND("peer_id", pull->peer_id));
    if (!has_other_owner) {
        if (!known.id) {
            *added += 1;
            THEN(result, claims_seek_qso(transaction, &claim->side, &qso_id));
        }
        THEN(result, store_run(store, STATEMENT_WRITE_CLAIM, BIND("peer_id", pull->peer_id),
                               BIND("number", claim->number), BIND("station", claim->station),
                               BIND("round", pull->round), BIND_OR_NULL("qso_id", qso_id),
                               BIND_SIDE(&claim->side)));
        if (known.id)
            return THEN(result, claims_review(transaction, known.id));
        return THEN(result, claims_note_qso(transaction, qso_id,
                                            sqlite3_last_insert_rowid(store->database->handle)));
    }
    if (known.id)
        THEN(result, claims_remove(transaction, known.id));
    return THEN(result, store_run(store, STATEMENT_NOTE_SKIPPED, BIND("id", pull->peer_id),
                                  BIND("callsign", claim->station)));
}

/* Withdraws a stored claim only if this pull requests the claim's worked callsign. Otherwise the
 * peer's member has corrected that callsign: the stored claim is either still valid, or is
 * withdrawn when its own callsign is requested. */
static enum store_result take_withdrawal(struct transaction *transaction, const struct pull *pull,
                                         struct text number)
{
    struct store *store = transaction->store;
    struct statement *find = store_with(store, STATEMENT_FIND_CLAIM_BY_NUMBER,
                                        BIND("peer_id", pull->peer_id), BIND("number", number));
    int64_t id = 0;
    enum store_result result = database_step(store->database, find);
    if (result == STORE_DONE && was_asked_for(pull, database_read_text(find, "worked_key")))
        id = database_read_integer(find, "id");
    sqlite3_reset(find->handle);
    if (id)
        return claims_remove(transaction, id);
    return result == STORE_NONE ? STORE_DONE : result;
}

/* The minimum time between two writes of the members' times if visits return nothing new. Each of
 * these writes changes a row per member, and requesting the same period again is harmless. */
#define SINCE_KEPT_MS INT64_C(3600000)

static bool brought_nothing(const struct pull *pull, const struct pull_page *page)
{
    return pull->is_last && pull->since_ms && !pull->cursor.bytes && !page->next_cursor.bytes &&
           page->claim_count + page->withdrawn_count == 0 &&
           page->server_time_ms >= pull->since_ms &&
           page->server_time_ms - pull->since_ms < SINCE_KEPT_MS;
}

/* Returns the callsign of the last member in the pull if the pull is at its first page, and
 * otherwise no text. */
static struct text last_chosen(const struct pull *pull)
{
    return !pull->cursor.bytes ? pull->callsigns[pull->count - 1] : (struct text){0};
}

/* Removes claims that were not received again, after all claims were pulled. If one transaction
 * cannot remove all of these claims, the last page is requested again, and the next transaction
 * removes more of these claims. */
static enum store_result remove_old(struct transaction *transaction, const struct pull *pull,
                                    const struct pull_page *page, enum page_outcome *outcome)
{
    bool is_last = true;
    if (page->next_cursor.bytes || pull->since_ms)
        return STORE_DONE;
    enum store_result result = claims_remove_some(
        transaction,
        store_with(transaction->store, STATEMENT_LIST_OLD_CLAIMS, BIND("peer_id", pull->peer_id),
                   BIND("callsign", last_chosen(pull)), BIND("visit", pull->visit),
                   BIND("is_first", 1), BIND("round", pull->round)),
        &is_last);
    if (!is_last)
        *outcome = PAGE_AGAIN;
    return result;
}

/* Marks the members as part of this pull after its first page. After its last page, sets the time
 * from which the next pull requests changes. */
static enum store_result mark_members(struct transaction *transaction, const struct pull *pull,
                                      const struct pull_page *page)
{
    const bool is_running = pull->cursor.bytes, has_next = page->next_cursor.bytes;
    if ((is_running && has_next) || brought_nothing(pull, page))
        return STORE_DONE;
    return store_run(transaction->store, STATEMENT_MARK_PEER_MEMBERS,
                     BIND("peer_id", pull->peer_id), BIND("callsign", last_chosen(pull)),
                     BIND("visit", pull->visit), BIND("is_first", pull->since_ms == 0),
                     BIND("pulling", has_next), BIND_IF(!has_next, "since", page->server_time_ms));
}

static enum store_result take_all(struct transaction *transaction, const struct pull *pull,
                                  const struct pull_page *page, enum page_outcome *outcome)
{
    int64_t added = 0;
    enum store_result result = STORE_DONE;
    for (size_t i = 0; i < page->withdrawn_count; i++)
        THEN(result, take_withdrawal(transaction, pull, page->withdrawn[i]));
    for (size_t i = 0; i < page->claim_count; i++)
        THEN(result, take_claim(transaction, pull, &page->claims[i], &added));
    THEN(result, remove_old(transaction, pull, page, outcome));
    const bool is_done = *outcome == PAGE_TAKEN;
    THEN(result, store_run(transaction->store, STATEMENT_UPDATE_PULL, BIND("id", pull->peer_id),
                           BIND("epoch", page->epoch),
                           BIND("cursor", is_done ? page->next_cursor : pull->cursor),
                           BIND("added", added)));
    if (!is_done)
        return result;
    THEN(result, mark_members(transaction, pull, page));
    if (pull->is_last && !page->next_cursor.bytes)
        THEN(result, note_visit(transaction, pull->peer_id, NULL, true));
    return result;
}

/* Returns whether all claims must be pulled again, because the peer has a new epoch, or no longer
 * lists all deletions. */
static bool needs_all(const struct pull *pull, const struct pull_page *page)
{
    bool is_first = !pull->since_ms && !pull->cursor.bytes && !pull->epoch.bytes;
    return !is_first && (!text_equals(pull->epoch, page->epoch) || !page->complete);
}

static enum store_result take_page(struct transaction *transaction, const struct pull *pull,
                                   const struct pull_page *page, enum page_outcome *outcome)
{
    struct store *store = transaction->store;
    int64_t claims = 0;
    bool too_many = false;
    enum store_result result =
        store_find_integer(store, "claims", &claims, STATEMENT_FIND_PULL, BIND("id", pull->peer_id),
                           BIND("round", pull->round), BIND("visit", pull->visit),
                           BIND("epoch", pull->epoch), BIND("cursor", pull->cursor));
    if (result == STORE_DONE && page->claim_count > 0)
        result = are_too_many(store, claims + (int64_t)page->claim_count, &too_many);
    *outcome = result == STORE_NONE     ? PAGE_OVERTAKEN
               : needs_all(pull, page)  ? PAGE_RESTARTS
               : is_strange(pull, page) ? PAGE_STRANGE
               : too_many               ? PAGE_TOO_MANY
                                        : PAGE_TAKEN;
    if (*outcome == PAGE_TAKEN)
        return THEN(result, take_all(transaction, pull, page, outcome));
    if (*outcome == PAGE_RESTARTS)
        return THEN(result, restart(store, pull->peer_id));
    return result == STORE_NONE ? STORE_DONE : result;
}

enum store_result store_take_page(struct store *store, const struct pull *pull,
                                  const struct pull_page *page, enum page_outcome *outcome)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, take_page(&transaction, pull, page, outcome));
    return store_finish(&transaction, result);
}
