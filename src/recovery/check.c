/* Looks for damaged pages, rows with missing references, and violations of rules that span several
 * rows. Changes nothing, and continues after the first problem. The schema checks the rules of
 * single rows; the doctor recommends what to do about a problem. */
#include "recovery/check.h"

#include <string.h>

#include "base/datetime.h"
#include "base/format.h"
#include "base/log.h"
#include "base/text_utf8.h"
#include "base/uuid.h"
#include "database/read_only.h"
#include "database/watch.h"
#include "base/progress.h"
#include "qso/fields.h"
#include "store/log/logbook.h"
#include "store/store.h"

/* SQLite's instructions for 14 full QSOs, about as many as a page of the file holds. */
#define INSTRUCTIONS_PER_PAGE 3850

/* Every row of the statement is a problem. */
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

enum store_result store_find_last_stamp(struct store *store, int64_t *stamp_ms)
{
    return store_find_integer(store, "last_stamp", stamp_ms, STATEMENT_READ_LAST_STAMP);
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

/* SQLite has no checksums, so checks of pages do not detect a changed bit inside a text, which
 * could make an answer invalid JSON. Whether the QSO makes sense is not checked, because other
 * rules may have applied when it was saved. */

static bool is_value(enum field_kind kind, const struct value *value)
{
    if (kind == KIND_UUID)
        return value->length == UUID_BYTES;
    if (kind == KIND_LOCATOR || kind == KIND_PATTERN || kind == KIND_TEXT)
        return value->length == 0 || (text_is_utf8(value->text, value->length) &&
                                      !memchr(value->text, '\0', value->length));
    return kind != KIND_DATETIME ||
           (value->integer >= DATETIME_MINIMUM_MS && value->integer <= DATETIME_MAXIMUM_MS);
}

bool sound_is_qso(const struct qso *qso)
{
    for (int i = 0; i < FIELD_COUNT; i++)
        if (qso->values[i].state == VALUE_PRESENT && !is_value(fields[i].kind, &qso->values[i]))
            return false;
    return true;
}
