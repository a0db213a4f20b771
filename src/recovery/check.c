/* Looks for damaged pages, rows with missing references, and violations of rules that span several
 * rows. Changes nothing, and continues after the first problem. The schema enforces the rules for
 * single rows; the doctor command recommends what to do about a problem. */
#include "recovery/check.h"

#include <string.h>

#include "base/format.h"
#include "base/log.h"
#include "base/progress.h"
#include "database/read_only.h"
#include "database/watch.h"
#include "store/log/logbook.h"
#include "store/store.h"

/* The number of SQLite's instructions for checking a page, which contains about 14 full QSOs. */
#define INSTRUCTIONS_PER_PAGE 3850

/* Reports each row that the statement returns as a problem. */
static enum store_result check_rows(struct store *store, enum statement_name name,
                                    check_visitor *visit, void *context,
                                    struct check_result *problems)
{
    struct statement *statement = database_statement(store->database, name);
    enum store_result result = STORE_DONE;
    while (database_next(store->database, statement, &result)) {
        const char *problem = database_read_text(statement, "problem").bytes;
        if (name == STATEMENT_CHECK_INTEGRITY && !strstr(problem, "CHECK constraint"))
            database_note_damage();
        if (problems->count++ == 0)
            format_cut(problems->first, sizeof problems->first, "%s", problem);
        if (visit)
            visit(context, problem);
    }
    return result;
}

enum store_result store_check(struct store *store, check_visitor *visit, void *context,
                              struct check_result *problems)
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
        {STATEMENT_CHECK_LEFTOVERS, "checking extra fields"},
        {STATEMENT_CHECK_STORAGE, "checking counted storage"},
        {STATEMENT_CHECK_KNOWN, "checking known records"},
        {STATEMENT_CHECK_SESSIONS, "checking sessions"},
    };
    int64_t pages = 0;
    enum store_result result = store_prepare(store);
    *problems = (struct check_result){0};
    for (size_t i = 0; i < sizeof parts / sizeof *parts && result == STORE_DONE; i++) {
        progress_begin(parts[i].phase);
        if (parts[i].statement == STATEMENT_CHECK_INTEGRITY &&
            store_find_integer(store, "pages", &pages, STATEMENT_READ_PAGE_COUNT) == STORE_DONE)
            watch_expect(pages * INSTRUCTIONS_PER_PAGE);
        result = check_rows(store, parts[i].statement, visit, context, problems);
    }
    if (!read_only_has_changed(store->database->path, &store->database->file))
        return result;
    log_line("%s was written to while it was checked; check it again", store->database->path);
    return STORE_BROKEN;
}

enum store_result store_list_remarks(struct store *store, check_visitor *visit, void *context,
                                     struct check_result *remarks)
{
    *remarks = (struct check_result){0};
    return check_rows(store, STATEMENT_REMARK_EQUAL_CALLSIGNS, visit, context, remarks);
}
