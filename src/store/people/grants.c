/* Creates and revokes grants. The statements that find a key, a token or a log compare grants with
 * the time of the transaction (keys.sql, uploads.sql and stations.sql in schema/statements). The
 * keys of an expired grant stay, but do not work; they are revoked when the grant is renewed. */
#include "store/people/grants.h"

#include "qso/match_callsign.h"
#include "store/log/page_counts.h"
#include "store/operator_log.h"
#include "store/people/members.h"
#include "store/store.h"
#include "store/transaction.h"

#define BIND_PAIR(transaction, station_id, member_id)                                              \
    BIND("station_id", station_id), BIND("member_id", member_id),                                  \
        BIND("now", (transaction)->written_at_ms)

/* Revokes the keys and tokens that this member has for this station, if the grant is no longer
 * valid. */
static enum store_result end_keys(struct transaction *transaction, int64_t station_id,
                                  int64_t member_id)
{
    enum store_result result = store_run(transaction->store, STATEMENT_END_KEYS_OF_GRANT,
                                         BIND_PAIR(transaction, station_id, member_id));
    return THEN(result, store_run(transaction->store, STATEMENT_END_TOKENS_OF_GRANT,
                                  BIND_PAIR(transaction, station_id, member_id)));
}

/* Records the act in the activity log, with the member's callsign. */
static enum store_result note(struct transaction *transaction, const char *act, int64_t station_id,
                              int64_t member_id)
{
    struct arena arena = {0};
    struct member member;
    enum store_result result =
        store_find_member_by_number(transaction->store, &arena, member_id, &member);
    THEN(result, operator_log_note_member(transaction, act, station_id, "%.*s",
                                          (int)member.callsign.length, member.callsign.bytes));
    arena_free(&arena);
    return result;
}

enum store_result store_grant(struct store *store, int64_t station_id, int64_t member_id,
                              int64_t until_ms)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, end_keys(&transaction, station_id, member_id));
    THEN(result,
         store_change(store, STATEMENT_WRITE_GRANT, BIND_PAIR(&transaction, station_id, member_id),
                      BIND_OR_NULL("until", until_ms), BIND("set_at", transaction.stamp_ms)));
    THEN(result, note(&transaction, "station grant", station_id, member_id));
    return store_finish(&transaction, result == STORE_NONE ? STORE_REFUSED : result);
}

enum store_result store_end_grant(struct store *store, int64_t station_id, int64_t member_id)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result,
         store_change(store, STATEMENT_REVOKE_GRANT, BIND_PAIR(&transaction, station_id, member_id),
                      BIND("set_at", transaction.stamp_ms)));
    THEN(result, end_keys(&transaction, station_id, member_id));
    THEN(result, note(&transaction, "station revoke", station_id, member_id));
    return store_finish(&transaction, result);
}

enum store_result store_list_grants(struct store *store, int64_t id, int64_t now_ms,
                                    grant_visitor *visit, void *context)
{
    static const struct read_column columns[] =
        COLUMNS(COLUMN(grant, station_id, "station_id"), COLUMN(grant, member_id, "member_id"),
                COLUMN(grant, station, "station"), COLUMN(grant, member, "member"),
                COLUMN(grant, granted_at_ms, "granted_at"), COLUMN(grant, until_ms, "until"),
                COLUMN(grant, ended_ms, "revoked_at"));
    ROW_READER(columns, STATEMENT_LIST_GRANTS);
    struct statement *list = store_with(store, STATEMENT_LIST_GRANTS, BIND("id", id));
    struct grant grant;
    enum store_result result = STORE_DONE;
    while (database_next_row(store->database, list, columns, &grant, &result)) {
        if (!grant.ended_ms && grant.until_ms && grant.until_ms <= now_ms)
            grant.ended_ms = grant.until_ms;
        visit(context, &grant);
    }
    return result;
}
