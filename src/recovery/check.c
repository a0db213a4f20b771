/* Looks for damaged pages, rows that point nowhere, and violations of rules that span several rows.
 * Changes nothing, and goes on after the first problem. The rules of single rows are the schema's;
 * what to do about a problem is said by the doctor. */
#include "recovery/check.h"

#include <string.h>

#include "base/log.h"
#include "database/progress.h"
#include "store/store.h"

/* What checking 14 full QSOs takes SQLite, about as many as a page of the file is for: alone, and
 * with their indexes. */
#define INSTRUCTIONS_PER_PAGE_ALONE 1100
#define INSTRUCTIONS_PER_PAGE 3800

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
    struct statement *statement = database_statement(check->store->database, name);
    enum store_result result = STORE_DONE;
    while (database_next(check->store->database, statement, &result)) {
        const char *problem = database_read_text(statement, "problem").bytes;
        if (name == STATEMENT_CHECK_INTEGRITY && !strstr(problem, "CHECK constraint"))
            database_note_damage();
        report(check, problem);
    }
    return result;
}

void store_expect_pages(struct store *store, int64_t instructions_per_page)
{
    struct statement *read = database_statement(store->database, STATEMENT_READ_PAGE_COUNT);
    if (database_step(store->database, read) == STORE_DONE)
        progress_expect(database_read_integer(read, "pages") * instructions_per_page);
    sqlite3_reset(read->handle);
}

/* Looks at the cells of all pages once. Where they are whole, SQLite need not look at all of a
 * page's cells again for each row that it looks up in an index: *are_whole says so. What is wrong
 * is told by the whole check. */
static enum store_result check_cells(struct database *database, bool *are_whole)
{
    enum store_result result = database_execute(database, "PRAGMA ignore_check_constraints = ON");
    if (result != STORE_DONE)
        return result;
    struct statement *cells = database_statement(database, STATEMENT_CHECK_CELLS);
    *are_whole = sqlite3_step(cells->handle) == SQLITE_DONE;
    sqlite3_reset(cells->handle);
    return database_execute(database, "PRAGMA ignore_check_constraints = OFF");
}

static enum store_result check_integrity(struct check *check)
{
    struct database *database = check->store->database;
    bool are_whole = false;
    enum store_result result = STORE_DONE;
    bool looks_at_cells = database->opening == OPEN_READ_ONLY;
    store_expect_pages(check->store,
                       INSTRUCTIONS_PER_PAGE + (looks_at_cells ? INSTRUCTIONS_PER_PAGE_ALONE : 0));
    if (looks_at_cells)
        result = check_cells(database, &are_whole);
    if (result == STORE_DONE && are_whole)
        result = database_execute(database, "PRAGMA cell_size_check = OFF");
    if (result == STORE_DONE)
        result = check_rows(check, STATEMENT_CHECK_INTEGRITY);
    if (are_whole && database_execute(database, "PRAGMA cell_size_check = ON") != STORE_DONE)
        return STORE_BROKEN;
    return result;
}

enum store_result store_find_last_stamp(struct store *store, int64_t *stamp_ms)
{
    struct statement *last = database_statement(store->database, STATEMENT_READ_LAST_STAMP);
    enum store_result result = database_step(store->database, last);
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
        {STATEMENT_CHECK_TOMBSTONES, "checking tombstones"},
        {STATEMENT_CHECK_ACTIVE_KEYS, "checking keys"},
        {STATEMENT_CHECK_HISTORY, "checking the history"},
        {STATEMENT_CHECK_LEFTOVERS, "checking what is kept beside QSOs"},
        {STATEMENT_CHECK_SESSIONS, "checking sessions"},
    };
    struct check check = {store, visit, context, 0};
    enum store_result result = STORE_DONE;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && result == STORE_DONE; i++) {
        progress_begin(parts[i].phase);
        result = parts[i].statement == STATEMENT_CHECK_INTEGRITY
                     ? check_integrity(&check)
                     : check_rows(&check, parts[i].statement);
    }
    if (read_only_has_changed(store->database->path, &store->database->file)) {
        log_line("%s was written to while it was checked; check it again", store->database->path);
        return STORE_BROKEN;
    }
    *problems = check.problems;
    return result;
}

enum store_result store_list_remarks(struct store *store,
                                     void (*visit)(void *context, const char *remark),
                                     void *context)
{
    struct check check = {store, visit, context, 0};
    return check_rows(&check, STATEMENT_REMARK_EQUAL_CALLSIGNS);
}
