/* Keeps what each key was refused last: the code, the field and how many entries, for its owner to
 * see on the profile page. A busy logbook is not waited for. How often each code occurs is counted
 * apart from it. */
#include "store/refusals.h"

#include <stdatomic.h>
#include <string.h>

#include "base/shared_file.h"
#include "qso/fields.h"
#include "store/store.h"
#include "store/transaction.h"

void store_note_key_refusal(struct store *store, int64_t key_number, const struct refusal *refusal)
{
    struct transaction transaction;
    if (store_try_begin_write(store, &transaction) != STORE_DONE)
        return;
    struct statement *write = database_statement(store->database, STATEMENT_WRITE_KEY_REFUSAL);
    database_bind_integer(write, ":key_id", key_number);
    database_bind_integer(write, ":refused_at", refusal->refused_at_ms);
    database_bind_text(write, ":code", refusal->code);
    database_bind_text(write, ":field", refusal->field);
    database_bind_integer(write, ":entries", refusal->entries);
    store_finish(&transaction, database_run(store->database, write));
}

enum store_result store_find_key_refusal(struct store *store, struct arena *arena,
                                         int64_t key_number, struct refusal *out)
{
    struct statement *find = database_statement(store->database, STATEMENT_FIND_KEY_REFUSAL);
    database_bind_integer(find, ":key_id", key_number);
    enum store_result result = database_step(store->database, find);
    if (result != STORE_DONE)
        return result;
    *out = (struct refusal){
        .refused_at_ms = database_read_integer(find, "refused_at"),
        .code = database_keep_text(find, "code", arena),
        .field = database_keep_text(find, "field", arena),
        .entries = database_read_integer(find, "entries"),
    };
    sqlite3_reset(find->handle);
    return STORE_DONE;
}

enum store_result store_list_key_refusals(struct store *store, int64_t limit,
                                          void (*visit)(void *context, struct text callsign,
                                                        struct text key_name,
                                                        const struct refusal *refusal),
                                          void *context)
{
    struct statement *list = database_statement(store->database, STATEMENT_LIST_ALL_KEY_REFUSALS);
    enum store_result result = STORE_DONE;
    database_bind_integer(list, ":limit", limit);
    while (database_next(store->database, list, &result)) {
        struct refusal refusal = {
            .refused_at_ms = database_read_integer(list, "refused_at"),
            .code = database_read_text(list, "code"),
            .field = database_read_text(list, "field"),
            .entries = database_read_integer(list, "entries"),
        };
        visit(context, database_read_text(list, "callsign"), database_read_text(list, "name"),
              &refusal);
    }
    return result;
}

/* -- How often each code occurs ---------------------------------------------------------------- */

/* It is counted in a file beside the logbook that all workers
 * map, so that counting takes no lock and no transaction. The file is made when the first entry is
 * rejected, and never grows. After a power cut it may be some seconds old. */

#define SUFFIX "-rejections"
#define LAYOUT 0x716a6374636e7431ULL /* the first number of a page laid out as below */
#define CODES_MAX 31
#define OTHER 0 /* the counter of all rejections by a sentence */

/* The number of a code's counter is one after its row in the table of rejections, to which rows are
 * only added. */
struct rejection_page {
    _Atomic uint64_t layout;
    _Atomic uint64_t counts[CODES_MAX + 1];
};

static size_t find_counter(const struct rejection *rejection)
{
    for (size_t i = 0; i < CODES_MAX && rejections[i]; i++)
        if (rejections[i] == rejection)
            return i + 1;
    return OTHER;
}

static struct rejection_page *open_page(struct store *store)
{
    struct shared_file *shared = &store->rejection_counts;
    if (shared->map)
        return shared->map;
    if (!shared_file_open(shared, store->database->path, SUFFIX))
        return NULL;
    if (!shared_file_map(shared, sizeof(struct rejection_page)))
        shared_file_close(shared);
    struct rejection_page *page = shared->map;
    if (page)
        atomic_store(&page->layout, LAYOUT);
    return page;
}

void store_count_rejection(struct store *store, const struct rejection *rejection)
{
    struct rejection_page *page = open_page(store);
    if (page)
        atomic_fetch_add(&page->counts[find_counter(rejection)], 1);
}

void store_list_rejection_counts(const struct store *store,
                                 void (*visit)(void *context, const char *code, int64_t count),
                                 void *context)
{
    struct rejection_page page;
    if (!shared_file_read(store->database->path, SUFFIX, &page, sizeof page) ||
        page.layout != LAYOUT)
        memset(&page, 0, sizeof page);
    for (size_t i = 0; i < CODES_MAX && rejections[i]; i++)
        visit(context, rejections[i]->code, (int64_t)page.counts[i + 1]);
    visit(context, NULL, (int64_t)page.counts[OTHER]);
}
