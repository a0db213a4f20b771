/* Asks peers, and stores what they tell, a page as a whole. All stamps here are the peer's, and
 * never compared with ours. A visit asks once for each member: first for everything about those who
 * are new, then for what has changed about all others; for everything about all if members of ours
 * have changed. The one after a visit that was killed goes on where its last page was stored; a
 * page that comes twice changes nothing. */
#include "store/peers.h"

#include <stdlib.h>
#include <string.h>

#include "store/confirmations.h"
#include "store/store.h"

/* -- Visits: which of our members are asked for next ------------------------------------------- */

/* How far a peer was pulled. */
struct pull_state {
    struct text epoch, cursor; /* valid until the statement is reset */
    int64_t round, visit, claims;
    bool is_pulling;
    bool is_outdated; /* members of ours have changed since the round began */
};

/* The statement stands on its row until it is reset. STORE_NONE: no such peer is paired. */
static enum store_result find_state(struct store *store, int64_t peer_id, struct statement **find,
                                    struct pull_state *out)
{
    *find = database_statement(store->database, STATEMENT_FIND_PULL);
    database_bind_integer(*find, ":id", peer_id);
    enum store_result result = database_step(store->database, *find);
    if (result != STORE_DONE)
        return result;
    *out = (struct pull_state){.epoch = database_read_text(*find, "epoch"),
                               .cursor = database_read_text(*find, "cursor"),
                               .round = database_read_integer(*find, "round"),
                               .visit = database_read_integer(*find, "visit"),
                               .claims = database_read_integer(*find, "claims"),
                               .is_pulling = database_read_integer(*find, "is_pulling") != 0,
                               .is_outdated = database_read_integer(*find, "is_outdated") != 0};
    return STORE_DONE;
}

static enum store_result run_for_peer(struct store *store, enum statement_name name,
                                      const char *parameter, int64_t peer_id)
{
    struct statement *statement = database_statement(store->database, name);
    database_bind_integer(statement, parameter, peer_id);
    return database_run(store->database, statement);
}

/* Everything is pulled again. */
static enum store_result restart(struct store *store, int64_t peer_id)
{
    enum store_result result = run_for_peer(store, STATEMENT_BEGIN_ROUND, ":id", peer_id);
    return result == STORE_DONE
               ? run_for_peer(store, STATEMENT_BEGIN_ROUND_OF_MEMBERS, ":peer_id", peer_id)
               : result;
}

static struct statement *member_statement(struct store *store, enum statement_name name,
                                          int64_t peer_id, struct text callsign)
{
    struct statement *statement = database_statement(store->database, name);
    database_bind_integer(statement, ":peer_id", peer_id);
    database_bind_text(statement, ":callsign", callsign);
    return statement;
}

/* One callsign that is not asked for any more: *found is false if there is none. */
static enum store_result forget_gone(struct transaction *transaction, int64_t peer_id, bool *found)
{
    struct store *store = transaction->store;
    struct statement *list = database_statement(store->database, STATEMENT_LIST_GONE_PEER_MEMBERS);
    struct match_callsign key;
    database_bind_integer(list, ":peer_id", peer_id);
    enum store_result result = database_step(store->database, list);
    *found = result == STORE_DONE;
    if (!*found)
        return result == STORE_NONE ? STORE_DONE : result;
    match_normalise_callsign(database_read_text(list, "callsign_key"), &key);
    sqlite3_reset(list->handle);
    struct text callsign = {key.bytes, key.length};
    for (bool last = false; result == STORE_DONE && !last;)
        result = peers_forget_callsign(transaction, callsign, &last);
    return result == STORE_DONE
               ? database_run(store->database, member_statement(store, STATEMENT_DELETE_PEER_MEMBER,
                                                                peer_id, callsign))
               : result;
}

static enum store_result write_state(struct store *store, int64_t peer_id,
                                     const struct pull_state *state)
{
    struct statement *update = database_statement(store->database, STATEMENT_UPDATE_PULL);
    database_bind_integer(update, ":id", peer_id);
    database_bind_text(update, ":epoch", state->epoch);
    database_bind_text(update, ":cursor", state->cursor);
    database_bind_integer(update, ":round", state->round);
    database_bind_integer(update, ":visit", state->visit);
    return database_run(store->database, update);
}

static enum store_result begin_visit(struct transaction *transaction, int64_t peer_id)
{
    struct store *store = transaction->store;
    struct statement *find;
    struct pull_state state;
    enum store_result result = find_state(store, peer_id, &find, &state);
    if (result != STORE_DONE)
        return result;
    state.visit++;
    result = write_state(store, peer_id, &state);
    sqlite3_reset(find->handle);
    if (result == STORE_DONE && state.is_outdated)
        result = restart(store, peer_id);
    for (bool found = state.is_outdated; result == STORE_DONE && found;)
        result = forget_gone(transaction, peer_id, &found);
    return result == STORE_DONE
               ? run_for_peer(store, STATEMENT_ADD_ALL_PEER_MEMBERS, ":peer_id", peer_id)
               : result;
}

/* Those of the running pull; or, if none runs, those that have not been asked for in this visit:
 * first those who were never asked for, then all others, since the earliest time that any has. */
static enum store_result choose_members(struct store *store, struct arena *arena,
                                        const struct pull_state *state, struct pull *pull)
{
    struct statement *list = database_statement(store->database, STATEMENT_LIST_PEER_MEMBERS);
    enum store_result result = STORE_DONE;
    size_t to_ask = 0;
    database_bind_integer(list, ":peer_id", pull->peer_id);
    while (database_next(store->database, list, &result)) {
        const int64_t since_ms = database_read_integer(list, "since");
        if (state->is_pulling ? !database_read_integer(list, "pulling")
                              : database_read_integer(list, "visit") >= state->visit)
            continue;
        to_ask++;
        if (since_ms == 0 && pull->since_ms != 0)
            pull->count = 0;
        if (since_ms < pull->since_ms)
            pull->since_ms = since_ms;
        if ((since_ms == 0) == (pull->since_ms == 0) && pull->count < CLAIMING_MEMBERS_MAX)
            pull->callsigns[pull->count++] = database_keep_text(list, "callsign_key", arena);
    }
    pull->is_last = !state->is_pulling && pull->count == to_ask;
    return result;
}

static enum store_result begin_pull(struct store *store, struct arena *arena, struct pull *pull)
{
    struct statement *find;
    struct pull_state state;
    enum store_result result = find_state(store, pull->peer_id, &find, &state);
    if (result != STORE_DONE)
        return result;
    pull->epoch = database_keep_text(find, "epoch", arena);
    if (state.is_pulling)
        pull->cursor = database_keep_text(find, "cursor", arena);
    state.cursor = pull->cursor; /* one of a pull whose members are all gone leads nowhere */
    pull->round = state.round;
    pull->visit = state.visit;
    result = write_state(store, pull->peer_id, &state);
    sqlite3_reset(find->handle);
    return result == STORE_DONE ? choose_members(store, arena, &state, pull) : result;
}

enum store_result store_begin_pull(struct store *store, struct arena *arena, int64_t peer_id,
                                   bool begins_visit, struct pull *out)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    *out = (struct pull){.peer_id = peer_id, .since_ms = INT64_MAX};
    if (begins_visit)
        result = begin_visit(&transaction, peer_id);
    if (result == STORE_DONE)
        result = begin_pull(store, arena, out);
    return store_finish(&transaction, result);
}

static enum store_result note_visit(struct transaction *transaction, int64_t peer_id,
                                    const char *failure)
{
    struct database *database = transaction->store->database;
    struct statement *update = database_statement(database, STATEMENT_UPDATE_PEER_VISIT);
    database_bind_integer(update, ":id", peer_id);
    database_bind_integer(update, ":asked_at", transaction->written_at_ms);
    database_bind_null(update, ":answered_at");
    if (!failure)
        database_bind_integer(update, ":answered_at", transaction->written_at_ms);
    database_bind_text(update, ":failure", text_of(failure));
    return database_run(database, update);
}

enum store_result store_note_visit(struct store *store, int64_t id, const char *failure)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    return result == STORE_DONE ? store_finish(&transaction, note_visit(&transaction, id, failure))
                                : result;
}

/* -- What a page brings -------------------------------------------------------------------------
 */

/* More claims than these, and so many for each QSO of ours, are no contacts with our members. */
#define CLAIMS_FREE INT64_C(10000)
#define CLAIMS_FOR_EACH_QSO 4

struct taking {
    struct transaction *transaction;
    struct store *store;
    const struct pull *pull;
    const struct pull_page *page;
};

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

/* No more of our QSOs are counted than this takes. */
static enum store_result are_too_many(struct store *store, int64_t claims, bool *too_many)
{
    *too_many = false;
    if (claims <= CLAIMS_FREE)
        return STORE_DONE;
    const int64_t needed = (claims - CLAIMS_FREE + CLAIMS_FOR_EACH_QSO - 1) / CLAIMS_FOR_EACH_QSO;
    struct statement *count = database_statement(store->database, STATEMENT_COUNT_QSOS_UP_TO);
    database_bind_integer(count, ":limit", needed);
    int64_t qsos = 0;
    enum store_result result = database_find_integer(store->database, count, "qsos", &qsos);
    *too_many = result == STORE_DONE && qsos < needed;
    return result;
}

/* The claim of this number; *id is 0 if there is none, *same whether nothing of it changes. */
static enum store_result find_known(const struct taking *taking, const struct pulled_claim *claim,
                                    int64_t *id, bool *same)
{
    struct database *database = taking->store->database;
    struct statement *find = database_statement(database, STATEMENT_FIND_CLAIM_BY_NUMBER);
    const struct match_side *side = &claim->side;
    database_bind_integer(find, ":peer_id", taking->pull->peer_id);
    database_bind_text(find, ":number", claim->number);
    enum store_result result = database_step(database, find);
    *id = 0;
    *same = false;
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_DONE : result;
    *id = database_read_integer(find, "id");
    *same = text_equals(database_read_text(find, "station_key"), match_text(&side->station)) &&
            text_equals(database_read_text(find, "worked_key"), match_text(&side->worked)) &&
            database_read_integer(find, "band") == side->band &&
            database_read_integer(find, "channel") == side->channel &&
            database_read_integer_or(find, "mode", MATCH_NO_MODE) == side->mode_family &&
            database_read_integer(find, "qso_at") == side->qso_at_ms;
    sqlite3_reset(find->handle);
    return STORE_DONE;
}

static enum store_result run_claim(struct store *store, enum statement_name name, int64_t id)
{
    struct statement *statement = database_statement(store->database, name);
    database_bind_integer(statement, ":id", id);
    return database_run(store->database, statement);
}

static enum store_result remove_claim(const struct taking *taking, int64_t id)
{
    enum store_result result = claims_withdraw(taking->transaction, id);
    return result == STORE_DONE ? run_claim(taking->store, STATEMENT_DELETE_CLAIM, id) : result;
}

static enum store_result write_claim(const struct taking *taking, const struct pulled_claim *claim,
                                     int64_t id)
{
    struct database *database = taking->store->database;
    const struct match_side *side = &claim->side;
    struct statement *write =
        database_statement(database, id ? STATEMENT_UPDATE_CLAIM : STATEMENT_INSERT_CLAIM);
    if (id) {
        database_bind_integer(write, ":id", id);
    } else {
        database_bind_integer(write, ":peer_id", taking->pull->peer_id);
        database_bind_text(write, ":number", claim->number);
    }
    database_bind_text(write, ":station_key", match_text(&side->station));
    database_bind_text(write, ":worked_key", match_text(&side->worked));
    database_bind_integer(write, ":band", side->band);
    database_bind_integer(write, ":channel", side->channel);
    database_bind_null(write, ":mode");
    if (side->mode_family != MATCH_NO_MODE)
        database_bind_integer(write, ":mode", side->mode_family);
    database_bind_integer(write, ":qso_at", side->qso_at_ms);
    database_bind_text(write, ":station", claim->station);
    database_bind_integer(write, ":round", taking->pull->round);
    enum store_result result = database_run(database, write);
    return result == STORE_DONE
               ? claims_review(taking->transaction,
                               id ? id : sqlite3_last_insert_rowid(database->handle))
               : result;
}

static enum store_result note_skipped(const struct taking *taking, const struct pulled_claim *claim)
{
    struct database *database = taking->store->database;
    struct statement *note = database_statement(database, STATEMENT_NOTE_SKIPPED);
    database_bind_integer(note, ":id", taking->pull->peer_id);
    database_bind_text(note, ":callsign", claim->station);
    return database_run(database, note);
}

static enum store_result has_other_owner(const struct taking *taking,
                                         const struct pulled_claim *claim, bool *has)
{
    struct database *database = taking->store->database;
    struct statement *find = database_statement(database, STATEMENT_FIND_OTHER_OWNER);
    database_bind_text(find, ":station", match_text(&claim->side.station));
    database_bind_integer(find, ":peer_id", taking->pull->peer_id);
    enum store_result result = database_step(database, find);
    *has = result == STORE_DONE;
    sqlite3_reset(find->handle);
    return result == STORE_NONE ? STORE_DONE : result;
}

static enum store_result take_claim(const struct taking *taking, const struct pulled_claim *claim)
{
    int64_t id;
    bool same, other = false;
    enum store_result result = find_known(taking, claim, &id, &same);
    if (result == STORE_DONE && !same)
        result = has_other_owner(taking, claim, &other);
    if (result != STORE_DONE)
        return result;
    if (other) {
        if (id)
            result = remove_claim(taking, id);
        return result == STORE_DONE ? note_skipped(taking, claim) : result;
    }
    if (!same)
        return write_claim(taking, claim, id);
    struct statement *renew =
        database_statement(taking->store->database, STATEMENT_UPDATE_CLAIM_ROUND);
    database_bind_integer(renew, ":id", id);
    database_bind_integer(renew, ":round", taking->pull->round);
    result = database_run(taking->store->database, renew);
    return result == STORE_DONE ? claims_offer(taking->transaction, id) : result;
}

/* A claim about a callsign that was not asked for now is withdrawn where that one is asked for: by
 * now the QSO may be claimed under it. */
static enum store_result take_withdrawal(const struct taking *taking, struct text number)
{
    struct database *database = taking->store->database;
    struct statement *find = database_statement(database, STATEMENT_FIND_CLAIM_BY_NUMBER);
    database_bind_integer(find, ":peer_id", taking->pull->peer_id);
    database_bind_text(find, ":number", number);
    enum store_result result = database_step(database, find);
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_DONE : result;
    int64_t id = database_read_integer(find, "id");
    bool counts = was_asked_for(taking->pull, database_read_text(find, "worked_key"));
    sqlite3_reset(find->handle);
    return counts ? remove_claim(taking, id) : STORE_DONE;
}

/* After everything was pulled again: what did not come is gone. */
static enum store_result remove_old(const struct taking *taking)
{
    struct database *database = taking->store->database;
    enum store_result result = STORE_DONE;
    for (size_t i = 0; i < taking->pull->count && result == STORE_DONE; i++) {
        struct statement *list = database_statement(database, STATEMENT_LIST_OLD_CLAIMS);
        database_bind_text(list, ":worked", taking->pull->callsigns[i]);
        database_bind_integer(list, ":peer_id", taking->pull->peer_id);
        database_bind_integer(list, ":round", taking->pull->round);
        database_bind_integer(list, ":limit", 1);
        while ((result = database_step(database, list)) == STORE_DONE) {
            int64_t id = database_read_integer(list, "id");
            sqlite3_reset(list->handle);
            result = remove_claim(taking, id);
            if (result != STORE_DONE)
                return result;
        }
        result = result == STORE_NONE ? STORE_DONE : result;
    }
    return result;
}

/* A whole visit that brought nothing. Since when the members are asked for is noted once in this
 * time then, which is a write for each of them: what was asked for may be asked for again. */
#define SINCE_KEPT_MS INT64_C(3600000)

static bool brought_nothing(const struct pull *pull, const struct pull_page *page)
{
    return pull->is_last && pull->since_ms && !pull->cursor.bytes && !page->next_cursor.bytes &&
           page->claim_count + page->withdrawn_count == 0 &&
           page->server_time_ms >= pull->since_ms &&
           page->server_time_ms - pull->since_ms < SINCE_KEPT_MS;
}

/* After the first page of a pull, and after the last one: since when they are asked for then. */
static enum store_result mark_members(const struct taking *taking)
{
    const struct pull *pull = taking->pull;
    const struct text none = {0};
    bool is_running = pull->cursor.bytes, goes_on = taking->page->next_cursor.bytes;
    enum store_result result = STORE_DONE;
    if ((is_running && goes_on) || brought_nothing(pull, taking->page))
        return result;
    if (!goes_on && !pull->since_ms)
        result = remove_old(taking);
    struct statement *mark =
        member_statement(taking->store, STATEMENT_MARK_PEER_MEMBERS, pull->peer_id,
                         is_running ? none : pull->callsigns[pull->count - 1]);
    database_bind_integer(mark, ":visit", pull->visit);
    database_bind_integer(mark, ":is_first", pull->since_ms == 0);
    database_bind_integer(mark, ":pulling", goes_on);
    database_bind_null(mark, ":since");
    if (!goes_on)
        database_bind_integer(mark, ":since", taking->page->server_time_ms);
    return result == STORE_DONE ? database_run(taking->store->database, mark) : result;
}

static enum store_result take_all(const struct taking *taking)
{
    const struct pull_page *page = taking->page;
    struct pull_state state = {.epoch = page->epoch,
                               .cursor = page->next_cursor,
                               .round = taking->pull->round,
                               .visit = taking->pull->visit};
    enum store_result result = STORE_DONE;
    for (size_t i = 0; i < page->withdrawn_count && result == STORE_DONE; i++)
        result = take_withdrawal(taking, page->withdrawn[i]);
    for (size_t i = 0; i < page->claim_count && result == STORE_DONE; i++)
        result = take_claim(taking, &page->claims[i]);
    if (result == STORE_DONE)
        result = write_state(taking->store, taking->pull->peer_id, &state);
    if (result == STORE_DONE)
        result = mark_members(taking);
    return result == STORE_DONE && taking->pull->is_last && !page->next_cursor.bytes
               ? note_visit(taking->transaction, taking->pull->peer_id, NULL)
               : result;
}

/* A new epoch, or deletions that are not known any more. */
static bool needs_all(const struct pull *pull, const struct pull_page *page)
{
    bool is_first = !pull->since_ms && !pull->cursor.bytes && !pull->epoch.bytes;
    return !is_first && (!text_equals(pull->epoch, page->epoch) || !page->complete);
}

static enum store_result take_page(const struct taking *taking, const struct pull_state *state,
                                   bool is_current, enum page_outcome *outcome)
{
    const struct pull *pull = taking->pull;
    const struct pull_page *page = taking->page;
    bool too_many = false;
    *outcome = !is_current              ? PAGE_OVERTAKEN
               : needs_all(pull, page)  ? PAGE_RESTARTS
               : is_strange(pull, page) ? PAGE_STRANGE
                                        : PAGE_TAKEN;
    if (*outcome == PAGE_RESTARTS)
        return restart(taking->store, pull->peer_id);
    if (*outcome != PAGE_TAKEN)
        return STORE_DONE;
    enum store_result result = STORE_DONE;
    if (page->claim_count > 0)
        result = are_too_many(taking->store, state->claims + (int64_t)page->claim_count, &too_many);
    if (too_many)
        *outcome = PAGE_TOO_MANY;
    return result == STORE_DONE && !too_many ? take_all(taking) : result;
}

enum store_result store_take_page(struct store *store, const struct pull *pull,
                                  const struct pull_page *page, enum page_outcome *outcome)
{
    struct transaction transaction;
    struct statement *find;
    struct pull_state state = {0};
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    result = find_state(store, pull->peer_id, &find, &state);
    bool is_current = result == STORE_DONE && state.round == pull->round &&
                      state.visit == pull->visit && text_equals(state.epoch, pull->epoch) &&
                      text_equals(state.cursor, pull->cursor);
    sqlite3_reset(find->handle);
    struct taking taking = {
        .transaction = &transaction, .store = store, .pull = pull, .page = page};
    if (result == STORE_DONE || result == STORE_NONE)
        result = take_page(&taking, &state, is_current, outcome);
    return store_finish(&transaction, result);
}
