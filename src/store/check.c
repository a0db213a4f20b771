/* Looks for everything that should never be: damaged pages, rows that point nowhere, and rules that
 * span several rows. Changes nothing. */
#include <string.h>

#include "qso/match.h"
#include "store/columns.h"
#include "store/database.h"

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

/* Every row of the statement is a problem, its first column the sentence. */
static enum store_result check_rows(struct check *check, enum statement_name name)
{
    struct statement *statement = database_statement(check->store, name);
    enum store_result result;
    while ((result = database_step(check->store, statement)) == STORE_DONE) {
        const char *sentence = (const char *)sqlite3_column_text(statement->handle, 0);
        if (sentence && strcmp(sentence, "ok") != 0)
            report(check, sentence);
    }
    sqlite3_reset(statement->handle);
    return result == STORE_NONE ? STORE_DONE : result;
}

/* What only the program can tell: that stored lookup keys are what it would make today. */
static enum store_result check_match_keys(struct check *check)
{
    struct statement *list = database_statement(check->store, STATEMENT_CHECK_MATCH_KEYS);
    struct match_side side;
    struct qso qso;
    enum store_result result;
    while ((result = database_step(check->store, list)) == STORE_DONE) {
        columns_read_qso(list, &qso);
        bool stored = sqlite3_column_type(list->handle, 1) != SQLITE_NULL;
        match_read_side(&qso, database_column_text(list, 0), &side);
        if (stored != side.confirmable ||
            (stored && side.own_key != sqlite3_column_int64(list->handle, 1))) {
            char sentence[80];
            sqlite3_snprintf(sizeof sentence, sentence, "QSO %lld has a wrong match key",
                             (long long)qso.values[FIELD_ID].integer);
            report(check, sentence);
        }
    }
    sqlite3_reset(list->handle);
    return result == STORE_NONE ? STORE_DONE : result;
}

enum store_result store_check(struct store *store,
                              void (*visit)(void *context, const char *problem), void *context,
                              int64_t *problems)
{
    static const enum statement_name statements[] = {
        STATEMENT_CHECK_INTEGRITY, STATEMENT_CHECK_FOREIGN_KEYS, STATEMENT_CHECK_CONFIRMATIONS,
        STATEMENT_CHECK_SPOTS,     STATEMENT_CHECK_STAMPS,       STATEMENT_CHECK_ACTIVE_KEYS,
    };
    struct check check = {store, visit, context, 0};
    enum store_result result = STORE_DONE;
    for (size_t i = 0; i < sizeof statements / sizeof *statements && result == STORE_DONE; i++)
        result = check_rows(&check, statements[i]);
    if (result == STORE_DONE)
        result = check_match_keys(&check);
    *problems = check.problems;
    return result;
}
