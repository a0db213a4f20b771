/* How many entries of batches were rejected, by code: in a file beside the logbook that all workers
 * map, so that counting takes no lock and no transaction. The file is made when the first entry is
 * rejected, and never grows. After a power cut it may be some seconds old. */
#include <stdatomic.h>
#include <string.h>

#include "base/shared_file.h"
#include "qso/rejection.h"
#include "store/refusals.h"
#include "store/store.h"

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
