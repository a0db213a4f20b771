/* Counts rejected entries. The counts are in a file next to the logbook. All workers map the file,
 * so counting needs no lock and no transaction. The file is created when the first entry is
 * rejected, and never grows. After a power cut, the counts can be a few seconds old. */
#include "store/log/rejection_counts.h"

#include <stdatomic.h>
#include <string.h>

#include "base/shared_file.h"
#include "qso/fields.h"
#include "store/store.h"

#define SUFFIX "-rejections"
#define LAYOUT 0x716a6374636e7431ULL /* first number in a file with this layout */
#define CODES_MAX 31
#define OTHER 0 /* index of the counter for all rejections with a sentence */

/* The counters. A code's counter has the index of the code's row in the table of rejections, plus
 * 1. Rows are only ever added to this table. */
struct rejection_page {
    _Atomic uint64_t layout;
    _Atomic uint64_t counts[CODES_MAX + 1];
};

static size_t find_counter(const struct rejection *rejection)
{
    for (size_t i = 0; i < CODES_MAX && rejections[i]; i++)
        if (rejections[i]->code == rejection->code)
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
