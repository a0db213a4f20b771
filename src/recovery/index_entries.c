/* Compares the indexes of the QSOs with the rows by sums of keyed hashes: one walk over the rows
 * makes the entries that they need, one walk over each index reads those that it has. Equal counts
 * and equal sums are equal entries, but for a chance of 1 in 2^64, which nobody who makes a file
 * can raise without knowing the key. In strict order, as they are in the walk, each is found where
 * a search looks for it. The same on both sides: what SQLite's integrity_check asks of an index
 * (https://www.sqlite.org/pragma.html#pragma_integrity_check) beyond its pages.
 *
 * An index is read as a table WITHOUT ROWID with the same root page, which is in the connection's
 * memory only; the shell's .imposter and SQLite's extension RBU do so. */
#include "recovery/index_entries.h"

#include <endian.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/keyed_hash.h"
#include "database/database.h"

#define INDEXES_MAX 16

/* In SQLite's order of kinds (https://www.sqlite.org/datatype3.html#comparisons). */
enum tag { TAG_NULL = 1, TAG_INTEGER, TAG_TEXT, TAG_BLOB };

struct sum {
    int64_t count;
    uint64_t hashes;
};

struct index {
    const char *imposter, *entries_scan;
    int root_page;
    bool is_unique;
    bool is_wrong; /* its entries are in no order, one is double, or of a kind unknown here */
    struct sum needed, found;
    struct buffer former; /* the entry before */
    size_t former_key;    /* its length without the id of the row */
};

struct comparison {
    struct keyed_hash hash;
    struct index indexes[INDEXES_MAX];
    int count;
    const char *rows_scan;
    struct buffer entry;
    struct arena arena;
};

/* -- Entries ----------------------------------------------------------------------------------- */

static void append_tag(struct buffer *entry, enum tag tag)
{
    *buffer_reserve(entry, 1) = (char)tag;
    entry->length++;
}

static void append_integer(struct buffer *entry, int64_t value)
{
    const uint64_t ordered = htobe64((uint64_t)value ^ UINT64_C(1) << 63);
    buffer_append(entry, &ordered, sizeof ordered);
}

/* A NUL byte is followed by another value than the end is, so that a beginning comes first. */
static void append_bytes(struct buffer *entry, const char *bytes, size_t length)
{
    const char *nul;
    while (length > 0 && (nul = memchr(bytes, '\0', length))) {
        const size_t before = (size_t)(nul - bytes) + 1;
        buffer_append(entry, bytes, before);
        append_tag(entry, TAG_NULL);
        bytes += before;
        length -= before;
    }
    buffer_append(entry, bytes, length);
    buffer_append(entry, "\0", 2);
}

/* In a form whose bytes compare as SQLite compares the values. False: a kind that no index has. */
static bool append_value(struct buffer *entry, sqlite3_value *value)
{
    const int kind = sqlite3_value_type(value);
    if (kind == SQLITE_FLOAT)
        return false;
    if (kind == SQLITE_NULL) {
        append_tag(entry, TAG_NULL);
    } else if (kind == SQLITE_INTEGER) {
        append_tag(entry, TAG_INTEGER);
        append_integer(entry, sqlite3_value_int64(value));
    } else {
        const char *bytes = sqlite3_value_blob(value);
        append_tag(entry, kind == SQLITE_TEXT ? TAG_TEXT : TAG_BLOB);
        append_bytes(entry, bytes, (size_t)sqlite3_value_bytes(value));
    }
    return true;
}

/* Puts the entry together from the values after the index's number; *key is its length without the
 * last one, the id of the row. */
static struct index *make_entry(sqlite3_context *context, int count, sqlite3_value **values,
                                size_t *key)
{
    struct comparison *comparison = sqlite3_user_data(context);
    struct index *index = &comparison->indexes[sqlite3_value_int(values[0])];
    comparison->entry.length = 0;
    for (int i = 1; i < count; i++) {
        *key = comparison->entry.length;
        index->is_wrong |= !append_value(&comparison->entry, values[i]);
    }
    return index;
}

static void add(const struct comparison *comparison, struct sum *sum)
{
    const struct buffer *entry = &comparison->entry;
    sum->count++;
    sum->hashes += keyed_hash_of(&comparison->hash, entry->bytes, entry->length);
}

static void note_row(sqlite3_context *context, int count, sqlite3_value **values)
{
    size_t key = 0;
    struct index *index = make_entry(context, count, values, &key);
    add(sqlite3_user_data(context), &index->needed);
}

static bool has_null(int count, sqlite3_value **values)
{
    for (int i = 1; i < count - 1; i++)
        if (sqlite3_value_type(values[i]) == SQLITE_NULL)
            return true;
    return false;
}

/* Strictly, because no two entries are of one row. */
static bool is_after_former(const struct index *index, const struct buffer *entry)
{
    const struct buffer *former = &index->former;
    const size_t shared = former->length < entry->length ? former->length : entry->length;
    const int difference = shared ? memcmp(former->bytes, entry->bytes, shared) : 0;
    return difference < 0 || (difference == 0 && former->length < entry->length);
}

static bool has_former_key(const struct index *index, const struct buffer *entry, size_t key)
{
    return index->former_key == key && index->former.length > 0 &&
           memcmp(index->former.bytes, entry->bytes, key) == 0;
}

static void note_entry(sqlite3_context *context, int count, sqlite3_value **values)
{
    struct comparison *comparison = sqlite3_user_data(context);
    size_t key = 0;
    struct index *index = make_entry(context, count, values, &key);
    struct buffer *entry = &comparison->entry;
    add(comparison, &index->found);
    if (!is_after_former(index, entry) ||
        (index->is_unique && has_former_key(index, entry, key) && !has_null(count, values)))
        index->is_wrong = true;
    const struct buffer former = index->former;
    index->former = *entry;
    index->former_key = key;
    *entry = former;
}

static void finish(sqlite3_context *context)
{
    sqlite3_result_null(context);
}

/* -- Walks ------------------------------------------------------------------------------------- */

static bool execute(const struct database *database, const char *sql)
{
    return sqlite3_exec(database->handle, sql, NULL, NULL, NULL) == SQLITE_OK;
}

/* False: an index has something that cannot be compared here. */
static bool list_indexes(struct database *database, struct comparison *comparison)
{
    struct statement *list = database_statement(database, STATEMENT_LIST_INDEX_SCANS);
    bool can_be_compared = true;
    while (sqlite3_step(list->handle) == SQLITE_ROW && can_be_compared) {
        struct index *index = &comparison->indexes[comparison->count];
        can_be_compared = database_read_integer(list, "is_plain") &&
                          database_read_integer(list, "number") == comparison->count &&
                          ++comparison->count < INDEXES_MAX;
        index->root_page = (int)database_read_integer(list, "root_page");
        index->is_unique = database_read_integer(list, "is_unique");
        index->imposter = database_keep_text(list, "imposter", &comparison->arena).bytes;
        index->entries_scan = database_keep_text(list, "entries_scan", &comparison->arena).bytes;
        comparison->rows_scan = database_keep_text(list, "rows_scan", &comparison->arena).bytes;
    }
    sqlite3_reset(list->handle);
    return can_be_compared && comparison->count > 0;
}

/* While it is on, a statement that makes a table gives the name to the page, and writes nothing. */
static bool make_imposter(const struct database *database, const struct index *index)
{
    sqlite3_test_control(SQLITE_TESTCTRL_IMPOSTER, database->handle, "main", 1, index->root_page);
    const bool made = index->imposter && execute(database, index->imposter);
    sqlite3_test_control(SQLITE_TESTCTRL_IMPOSTER, database->handle, "main", 0, 0);
    return made;
}

static bool walk(struct database *database, struct comparison *comparison)
{
    bool agree = list_indexes(database, comparison);
    for (int i = 0; i < comparison->count && agree; i++)
        agree = make_imposter(database, &comparison->indexes[i]);
    for (int i = 0; i < comparison->count && agree; i++)
        agree = execute(database, comparison->indexes[i].entries_scan) &&
                !comparison->indexes[i].is_wrong;
    sqlite3_test_control(SQLITE_TESTCTRL_IMPOSTER, database->handle, "main", 0, 1);
    return agree && execute(database, comparison->rows_scan);
}

static bool add_functions(const struct database *database, struct comparison *comparison)
{
    static const struct {
        const char *name;
        void (*step)(sqlite3_context *context, int count, sqlite3_value **values);
    } functions[] = {{"note_row", note_row}, {"note_entry", note_entry}};
    bool added = true;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        added = sqlite3_create_function(database->handle, functions[i].name, -1,
                                        SQLITE_UTF8 | SQLITE_DIRECTONLY, comparison, NULL,
                                        comparison ? functions[i].step : NULL,
                                        comparison ? finish : NULL) == SQLITE_OK &&
                added;
    return added;
}

static bool is_equal(const struct index *index)
{
    return !index->is_wrong && index->needed.count == index->found.count &&
           index->needed.hashes == index->found.hashes;
}

/* query_only: an SQLite that makes no imposters would make tables. */
bool index_entries_agree(struct database *database)
{
    struct comparison comparison = {.hash = keyed_hash_begin()};
    const bool begins = sqlite3_get_autocommit(database->handle);
    bool agree = add_functions(database, &comparison) &&
                 execute(database, "PRAGMA query_only = ON") &&
                 (!begins || execute(database, "BEGIN")) && walk(database, &comparison);
    for (int i = 0; i < comparison.count; i++) {
        agree = agree && is_equal(&comparison.indexes[i]);
        buffer_free(&comparison.indexes[i].former);
    }
    if (begins && !sqlite3_get_autocommit(database->handle))
        execute(database, "COMMIT");
    if (!database->read_only && !execute(database, "PRAGMA query_only = OFF"))
        agree = false;
    add_functions(database, NULL);
    buffer_free(&comparison.entry);
    arena_free(&comparison.arena);
    return agree;
}
