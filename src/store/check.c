/* Looks for everything that should never be: damaged pages, rows that point nowhere, and rules that
 * span several rows. Changes nothing. */
#include "base/log.h"
#include "qso/match.h"
#include "store/columns.h"
#include "store/database.h"
#include "store/progress.h"

struct check {
    struct store *store;
    void (*report)(void *context, const char *problem);
    void *context;
    int64_t problems;
};

static void report(struct check *check, const char *sentence)
{
    check->problems++;
    check->report(check->context, sentence);
}

/* Every row of the statement is a problem. */
static enum store_result check_rows(struct check *check, enum statement_name name)
{
    struct statement *statement = database_statement(check->store, name);
    enum store_result result = STORE_DONE;
    while (database_next(check->store, statement, &result))
        report(check, database_read_text(statement, "problem").bytes);
    return result;
}

/* What only the program can tell: that stored lookup keys are what it would make today. */
static enum store_result check_match_keys(struct check *check)
{
    struct statement *list = database_statement(check->store, STATEMENT_CHECK_MATCH_KEYS);
    struct match_side side;
    struct qso qso;
    enum store_result result = STORE_DONE;
    while (database_next(check->store, list, &result)) {
        columns_read_qso(list, &qso);
        bool stored = !database_is_null(list, "match_key");
        match_read_side(&qso, database_read_text(list, "callsign"), &side);
        if (stored != side.confirmable ||
            (stored && side.own_key != database_read_integer(list, "match_key"))) {
            char sentence[80];
            sqlite3_snprintf(sizeof sentence, sentence, "QSO %lld has a wrong match key",
                             (long long)qso.values[FIELD_ID].integer);
            report(check, sentence);
        }
    }
    return result;
}

enum store_result store_find_last_stamp(struct store *store, int64_t *stamp_ms)
{
    struct statement *last = database_statement(store, STATEMENT_READ_LAST_STAMP);
    enum store_result result = database_step(store, last);
    if (result == STORE_DONE)
        *stamp_ms = database_read_integer(last, "last_stamp");
    sqlite3_reset(last->handle);
    return result;
}

enum store_result store_check(struct store *store,
                              void (*visit)(void *context, const char *problem), void *context,
                              int64_t *problems)
{
    static const struct {
        enum statement_name statement;
        const char *phase;
    } parts[] = {
        {STATEMENT_CHECK_INTEGRITY, "checking pages and indexes"},
        {STATEMENT_CHECK_FOREIGN_KEYS, "checking references"},
        {STATEMENT_CHECK_CONFIRMATIONS, "checking confirmations"},
        {STATEMENT_CHECK_SPOTS, "checking spots"},
        {STATEMENT_CHECK_STAMPS, "checking stamps"},
        {STATEMENT_CHECK_ACTIVE_KEYS, "checking keys"},
    };
    struct check check = {store, visit, context, 0};
    enum store_result result = STORE_DONE;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && result == STORE_DONE; i++) {
        progress_begin(parts[i].phase);
        result = check_rows(&check, parts[i].statement);
    }
    progress_begin("checking match keys");
    if (result == STORE_DONE)
        result = check_match_keys(&check);
    if (read_only_has_changed(store->path, &store->file)) {
        log_line("%s was written to while it was checked; check it again", store->path);
        return STORE_BROKEN;
    }
    *problems = check.problems;
    return result;
}
