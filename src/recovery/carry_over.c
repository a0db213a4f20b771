/* Writes the data listed in carry_over.h from the old logbook into the candidate. Each row of a
 * table pairs two statements. The first statement reads rows from the old logbook. The second
 * statement has parameters named after the columns of these rows, and writes the values to the
 * candidate. */
#include "recovery/carry_over.h"

#include "base/clock.h"
#include "base/format.h"
#include "store/store.h"

/* The rows that a restore carries over from the old logbook, in this order: a member comes before
 * the member's data. A member is identified by id and by the time when the member was added,
 * because the callsign may have changed since. A revoked fingerprint belongs to a key or to an
 * upload token, so one of its two statements changes nothing. */
static const struct taken {
    enum statement_name list, apply;
    /* weakest relation between the two logbooks for which the rows are carried over */
    enum logbook_relation least;
} taken[] = {
    {STATEMENT_READ_LOGBOOK, STATEMENT_RAISE_LOGBOOK, RELATION_NONE},
    {STATEMENT_READ_LOGBOOK, STATEMENT_RESTORE_UPLOADS, RELATION_EMPTY},
    {STATEMENT_READ_LOGBOOK, STATEMENT_KEEP_IDENTITY, RELATION_SAME},
    {STATEMENT_READ_LOGBOOK, STATEMENT_KEEP_CLOCK_CONFIRMED, RELATION_SAME},
    {STATEMENT_READ_CLUB, STATEMENT_RESTORE_CLUB, RELATION_EMPTY},
    {STATEMENT_LIST_REVOKED_KEYS, STATEMENT_REVOKE_FINGERPRINT, RELATION_SAME},
    {STATEMENT_LIST_REVOKED_KEYS, STATEMENT_REVOKE_TOKEN_FINGERPRINT, RELATION_SAME},
    {STATEMENT_LIST_ACTIVITY, STATEMENT_UPDATE_ACTIVITY, RELATION_SAME},
    {STATEMENT_LIST_DELETED_MEMBERS, STATEMENT_INSERT_DELETION, RELATION_SAME},
    {STATEMENT_LIST_ALL_FEED_SECRETS, STATEMENT_RESTORE_FEED_SECRET, RELATION_SAME},
    {STATEMENT_LIST_ALL_CALLSIGNS, STATEMENT_RESTORE_CALLSIGN, RELATION_SAME},
    {STATEMENT_LIST_ALL_SESSIONS, STATEMENT_RESTORE_SESSION, RELATION_SAME},
    {STATEMENT_LIST_ALL_LINKS, STATEMENT_RESTORE_LINK, RELATION_SAME},
    {STATEMENT_LIST_ACTIVITY, STATEMENT_FORGET_PASSKEYS, RELATION_SAME},
    {STATEMENT_LIST_ALL_PASSKEYS, STATEMENT_RESTORE_PASSKEY, RELATION_SAME},
    {STATEMENT_READ_LOGBOOK, STATEMENT_DROP_ALERTS, RELATION_NONE},
    {STATEMENT_LIST_ALL_ALERT_STATES, STATEMENT_RESTORE_ALERT_STATE, RELATION_SAME},
    {STATEMENT_LIST_ACTIVITY, STATEMENT_FORGET_ALERT_SETTINGS, RELATION_SAME},
    {STATEMENT_LIST_ACTIVITY, STATEMENT_FORGET_ALERT_RULES, RELATION_SAME},
    {STATEMENT_LIST_ACTIVITY, STATEMENT_FORGET_ALERT_MUTES, RELATION_SAME},
    {STATEMENT_LIST_ACTIVITY, STATEMENT_FORGET_ALERT_WAYS, RELATION_SAME},
    {STATEMENT_LIST_ALL_ALERT_SETTINGS, STATEMENT_RESTORE_ALERT_SETTINGS, RELATION_SAME},
    {STATEMENT_LIST_ALL_ALERT_RULES, STATEMENT_RESTORE_ALERT_RULE, RELATION_SAME},
    {STATEMENT_LIST_ALL_ALERT_NAMES, STATEMENT_RESTORE_ALERT_NAME, RELATION_SAME},
    {STATEMENT_LIST_ALL_ALERT_MUTES, STATEMENT_RESTORE_ALERT_MUTE, RELATION_SAME},
    {STATEMENT_LIST_ALL_ALERT_WAYS, STATEMENT_RESTORE_ALERT_WAY, RELATION_SAME},
    {STATEMENT_LIST_ALL_REMOVED_PEERS, STATEMENT_RESTORE_REMOVED_PEER, RELATION_SAME},
    {STATEMENT_LIST_ALL_PEER_CODES, STATEMENT_RESTORE_PEER_CODE, RELATION_SAME},
    {STATEMENT_LIST_REMOVED_CARDS, STATEMENT_RESTORE_REMOVED_CARD, RELATION_SAME},
    {STATEMENT_LIST_ALL_GRANTS, STATEMENT_RESTORE_GRANT, RELATION_SAME},
    {STATEMENT_LIST_ALL_LOG_PAGES, STATEMENT_RESTORE_LOG_PAGE, RELATION_SAME},
    {STATEMENT_LIST_ALL_OPERATOR_ACTS, STATEMENT_RESTORE_OPERATOR_ACT, RELATION_NONE},
    {STATEMENT_LIST_SEQUENCES, STATEMENT_RAISE_SEQUENCE, RELATION_NONE},
    {STATEMENT_LIST_SEQUENCES, STATEMENT_ADD_SEQUENCE, RELATION_NONE},
};

/* Writes one row to the candidate. A statement can use only some of the row's columns. */
static enum store_result apply_row(struct store *candidate, enum statement_name name,
                                   const struct statement *row)
{
    struct statement *apply = database_statement(candidate->database, name);
    char parameter[64];
    for (int i = 0; i < sqlite3_column_count(row->handle); i++) {
        format_cut(parameter, sizeof parameter, ":%s", sqlite3_column_name(row->handle, i));
        int index = sqlite3_bind_parameter_index(apply->handle, parameter);
        if (index > 0)
            sqlite3_bind_value(apply->handle, index, sqlite3_column_value(row->handle, i));
    }
    return database_run(candidate->database, apply);
}

enum store_result carry_over_take(struct store *old, struct store *candidate,
                                  enum logbook_relation relation)
{
    enum store_result result = STORE_DONE;
    for (size_t i = 0; i < sizeof taken / sizeof *taken && result == STORE_DONE; i++) {
        if (relation < taken[i].least)
            continue;
        struct statement *list = database_statement(old->database, taken[i].list);
        while (database_next(old->database, list, &result))
            result = apply_row(candidate, taken[i].apply, list);
    }
    return result;
}

/* Raises the epoch to the clock's time in milliseconds, so that two restores in one second have
 * different epochs. The deletions before this time then count as unknown. */
enum store_result carry_over_nothing(struct store *store)
{
    const int64_t now_ms = clock_wall_ms();
    enum store_result result = store_run(store, STATEMENT_RAISE_LOGBOOK, BIND("last_stamp", now_ms),
                                         BIND("log_epoch", now_ms));
    THEN(result, store_run(store, STATEMENT_DELETE_ALL_SESSIONS));
    THEN(result, store_run(store, STATEMENT_DROP_ALERTS));
    return THEN(result, store_run(store, STATEMENT_DELETE_ALL_LINKS));
}
