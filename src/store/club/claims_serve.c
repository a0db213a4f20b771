/* Lists the QSOs that our members claim, for a peer. Reads the members' logs one after the other,
 * each in the order of its changes. Selects the changes that concern a member of the peer. The
 * claims sent are stored, so that a QSO that is changed or deleted is withdrawn only from peers
 * that received the claim. */
#include "store/club/claims_serve.h"

#include <stdlib.h>
#include <string.h>

#include "qso/match.h"
#include "store/log/logbook.h"
#include "store/store.h"

/* The maximum number of logs and changes that one answer examines. At the maximum rate of a peer's
 * requests, these examinations use a tenth of one processor. */
#define ROWS_MAX (4 * CLAIMING_ITEMS_MAX)

/* An answer that is being assembled. */
struct claim_answer_builder {
    struct store *store;
    struct arena *arena;
    const struct claim_query *query;
    struct claiming_answer *answer;
    int64_t peer_id;
    int64_t since_ms; /* earliest time from which the peer requests changes */
    int rows;
};

static int compare_members(const void *a, const void *b)
{
    const struct match_callsign *left = &((const struct claiming_member *)a)->callsign,
                                *right = &((const struct claiming_member *)b)->callsign;
    return text_compare(match_text(left), match_text(right));
}

void claiming_sort_members(struct claiming_member *members, size_t count)
{
    qsort(members, count, sizeof *members, compare_members);
}

/* Returns whether the peer requests QSOs with this callsign that changed at this time. */
static bool is_asked_for(const struct claim_answer_builder *builder, struct text callsign,
                         int64_t at_ms)
{
    struct claiming_member key = {0};
    const struct claiming_member *found;
    if (!callsign.bytes || callsign.length > sizeof key.callsign.bytes)
        return false;
    memcpy(key.callsign.bytes, callsign.bytes, callsign.length);
    key.callsign.length = callsign.length;
    found = bsearch(&key, builder->query->members, builder->query->member_count, sizeof key,
                    compare_members);
    return found && at_ms > found->since_ms;
}

static bool is_full(const struct claim_answer_builder *builder)
{
    return builder->answer->count >= builder->query->limit || builder->rows >= ROWS_MAX;
}

struct claimant {
    int64_t id;
    struct text callsign, key;
    bool active; /* whether the member is active; if not, only claims that were already sent stay
                  * claimed */
};

/* A changed or deleted QSO. */
struct found {
    struct claiming_item item;
    struct text station; /* station callsign; no text: the member's own callsign */
    int64_t qso_status;
    int64_t told;
};

/* The claims for a QSO that the peer has received: none, only claims with other worked callsigns,
 * or a claim with the current worked callsign. */
enum { TOLD_NOTHING, TOLD_OTHERWISE, TOLD_SO };

static bool is_claimed(const struct claim_answer_builder *builder, const struct claimant *claimant,
                       const struct found *found)
{
    return found->qso_status != QSO_STATUS_HRD &&
           (!found->station.bytes || text_equals(found->station, claimant->key)) &&
           (claimant->active || found->told == TOLD_SO) &&
           is_asked_for(builder, found->item.worked, found->item.at_ms);
}

/* Withdraws a QSO that was deleted or must not be claimed. Does nothing unless the peer may have
 * received a claim for the QSO with a callsign that the peer has requested. */
static enum store_result withdraw(struct claim_answer_builder *builder,
                                  const struct claimant *claimant, const struct claiming_item *item)
{
    struct store *store = builder->store;
    struct claiming_answer *answer = builder->answer;
    enum store_result result = STORE_DONE;
    bool found = false;
    struct statement *list =
        store_with(store, STATEMENT_LIST_CLAIMED, BIND("member_id", claimant->id),
                   BIND("qso_id", item->id), BIND("peer_id", builder->peer_id));
    while (database_next(store->database, list, &result))
        found = found || is_asked_for(builder, database_read_text(list, "worked_key"), item->at_ms);
    if (found)
        answer->items[answer->count++] = (struct claiming_item){
            claimant->id, item->id, .is_withdrawn = true, .at_ms = item->at_ms};
    return result;
}

static void tell(struct claim_answer_builder *builder, const struct claimant *claimant,
                 const struct found *found)
{
    struct claiming_item *item = &builder->answer->items[builder->answer->count++];
    *item = found->item;
    item->member_id = claimant->id;
    item->is_unsent = found->told != TOLD_SO;
    item->station = claimant->callsign;
    item->worked.bytes = arena_copy(builder->arena, item->worked.bytes, item->worked.length);
    item->mode_family = match_mode_family(item->mode_family);
}

/* Reads the changes or the deletions in a member's log from the cursor on, until the answer is full
 * or nothing is left. */
static enum store_result walk(struct claim_answer_builder *builder, const struct claimant *claimant)
{
    static const struct read_column columns[] = COLUMNS(
        COLUMN(found, item.id, "id"), COLUMN(found, item.at_ms, "at"),
        COLUMN(found, item.worked, "worked_key"), COLUMN(found, item.band, "band"),
        COLUMN(found, item.channel, "channel"),
        COLUMN_OR(found, item.mode_family, "mode", MATCH_NO_MODE),
        COLUMN(found, item.qso_at_ms, "qso_at"), COLUMN(found, station, "operator_key"),
        COLUMN_OR(found, qso_status, "qso_status", QSO_STATUS_WKD), COLUMN(found, told, "told"));
    static const struct read_column deletion_columns[] = COLUMNS(
        COLUMN(found, item.id, "id"), COLUMN(found, item.at_ms, "at"), COLUMN(found, told, "told"));
    ROW_READER(columns, STATEMENT_LIST_CHANGES_TO_CLAIM);
    ROW_READER(deletion_columns, STATEMENT_LIST_DELETIONS_TO_CLAIM);
    struct claiming_cursor *cursor = &builder->answer->next;
    struct store *store = builder->store;
    struct statement *list = store_with(
        store,
        cursor->deletions ? STATEMENT_LIST_DELETIONS_TO_CLAIM : STATEMENT_LIST_CHANGES_TO_CLAIM,
        BIND("member_id", claimant->id), BIND("at", cursor->position.synced_at_ms),
        BIND("id", cursor->position.id), BIND("peer_id", builder->peer_id),
        BIND("limit", ROWS_MAX));
    struct found found = {0};
    enum store_result result = STORE_DONE;
    while (!is_full(builder) &&
           database_next_row(store->database, list, cursor->deletions ? deletion_columns : columns,
                             &found, &result)) {
        builder->rows++;
        cursor->position = (struct position){found.item.at_ms, found.item.id};
        if (!cursor->deletions && is_claimed(builder, claimant, &found))
            tell(builder, claimant, &found);
        else if (found.told != TOLD_NOTHING)
            result = withdraw(builder, claimant, &found.item);
    }
    sqlite3_reset(list->handle);
    return result;
}

static void begin_log(struct claim_answer_builder *builder, int64_t member_id, bool deletions)
{
    struct claiming_cursor *cursor = &builder->answer->next;
    cursor->member_id = member_id;
    cursor->deletions = deletions;
    cursor->position = (struct position){builder->since_ms, INT64_MAX};
}

static enum store_result walk_member(struct claim_answer_builder *builder,
                                     const struct claimant *claimant)
{
    struct claiming_cursor *cursor = &builder->answer->next;
    enum store_result result = STORE_DONE;
    builder->rows++;
    if (cursor->member_id != claimant->id)
        begin_log(builder, claimant->id, false);
    if (!cursor->deletions) {
        result = walk(builder, claimant);
        if (is_full(builder))
            return result;
        begin_log(builder, claimant->id, true);
    }
    return result == STORE_DONE ? walk(builder, claimant) : result;
}

static enum store_result walk_all(struct claim_answer_builder *builder)
{
    static const struct read_column columns[] =
        COLUMNS(COLUMN(claimant, id, "id"), COLUMN(claimant, callsign, "callsign"),
                COLUMN(claimant, key, "callsign_key"), COLUMN(claimant, active, "active"));
    ROW_READER(columns, STATEMENT_LIST_CLAIMING_MEMBERS);
    struct store *store = builder->store;
    struct claimant claimant;
    enum store_result result = STORE_DONE;
    struct statement *list =
        store_with(store, STATEMENT_LIST_CLAIMING_MEMBERS,
                   BIND("id", builder->answer->next.member_id), BIND("since", builder->since_ms));
    while (!is_full(builder) && database_next(store->database, list, &result)) {
        database_read(list, columns, builder->arena, &claimant);
        result = walk_member(builder, &claimant);
    }
    sqlite3_reset(list->handle);
    builder->answer->has_more = is_full(builder);
    return result;
}

static int64_t find_earliest(const struct claim_query *query)
{
    int64_t since_ms = INT64_MAX;
    for (size_t i = 0; i < query->member_count; i++)
        if (query->members[i].since_ms < since_ms)
            since_ms = query->members[i].since_ms;
    return query->member_count ? since_ms : 0;
}

struct asking {
    int64_t peer_id, log_epoch, claims_epoch;
    /* time since which every deletion is known, in the logs of members who take part in
     * confirmations by peers */
    int64_t deletions_ms;
    int64_t last_stamp_ms;
};

enum store_result store_identify_peer(struct store *store,
                                      const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES],
                                      struct identity *out)
{
    struct identity identity = {.credential = CREDENTIAL_PEER};
    enum store_result result =
        store_find_integer(store, "id", &identity.key_number, STATEMENT_IDENTIFY_PEER,
                           BIND_BLOB("fingerprint", fingerprint, API_KEY_FINGERPRINT_BYTES));
    memcpy(identity.fingerprint, fingerprint, API_KEY_FINGERPRINT_BYTES);
    if (result == STORE_DONE)
        *out = identity;
    return result;
}

/* Finds the peer that sent the key, and reads the state of the logbook, in the snapshot. */
static enum store_result find_peer(struct claim_answer_builder *builder, int64_t now_ms)
{
    static const struct read_column columns[] =
        COLUMNS(COLUMN(asking, peer_id, "id"), COLUMN(asking, log_epoch, "log_epoch"),
                COLUMN(asking, claims_epoch, "claims_epoch"),
                COLUMN(asking, deletions_ms, "deletions_since"),
                COLUMN(asking, last_stamp_ms, "last_stamp"));
    struct claiming_answer *answer = builder->answer;
    struct asking asking = {0};
    enum store_result result = store_find(
        builder->store, columns, NULL, &asking, STATEMENT_FIND_PEER_BY_FINGERPRINT,
        BIND_BLOB("fingerprint", builder->query->fingerprint, API_KEY_FINGERPRINT_BYTES));
    builder->peer_id = asking.peer_id;
    answer->log_epoch = asking.log_epoch;
    answer->claims_epoch = asking.claims_epoch;
    answer->complete = builder->since_ms == 0 || builder->since_ms >= asking.deletions_ms;
    if (!answer->next.server_time_ms)
        answer->next.server_time_ms =
            store_server_time(builder->store, now_ms, asking.last_stamp_ms);
    return result;
}

static enum store_result note_news(struct claim_answer_builder *builder)
{
    const struct claiming_answer *answer = builder->answer;
    struct transaction transaction = {0};
    enum store_result result = STORE_DONE;
    for (const struct claiming_item *item = answer->items; item < answer->items + answer->count;
         item++) {
        if (!item->is_unsent)
            continue;
        if (!transaction.store)
            THEN(result, store_begin_write(builder->store, &transaction));
        THEN(result, store_run(builder->store, STATEMENT_WRITE_CLAIMED,
                               BIND("member_id", item->member_id), BIND("qso_id", item->id),
                               BIND("peer_id", builder->peer_id), BIND("worked", item->worked)));
    }
    return transaction.store ? store_finish(&transaction, result) : result;
}

enum store_result store_list_claims_for_peer(struct store *store, struct arena *arena,
                                             const struct claim_query *query,
                                             struct claiming_answer *answer)
{
    struct claim_answer_builder builder = {.store = store,
                                           .arena = arena,
                                           .query = query,
                                           .answer = answer,
                                           .since_ms = find_earliest(query)};
    int64_t now_ms = query->now_ms;
    *answer = (struct claiming_answer){.next = query->cursor};
    answer->items = arena_allocate(arena, sizeof *answer->items * (query->limit + 1));
    enum store_result result = store_begin_read(store, &now_ms);
    if (result != STORE_DONE)
        return result;
    result = find_peer(&builder, now_ms);
    if (result == STORE_DONE && query->member_count)
        result = walk_all(&builder);
    store_end_read(store);
    return THEN(result, note_news(&builder));
}
