/* Provides the lower bound of SQLite and JSON for a page: the CPU time for reading the same rows
 * into memory and rendering them. page-cost DATABASE prints this time in ms, for one page of 500
 * QSOs of the first member. */
#include <stdio.h>
#include <time.h>

#include "qso/render.h"
#include "store/log/logbook.h"
#include "store/log/qsos.h"
#include "store/store.h"

#define PAGE 500
#define PAGES 300

static struct qso qsos[PAGE];
static size_t count;
static struct arena arena;

static double cpu_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void keep(void *context, const struct qso *qso)
{
    (void)context;
    qsos[count] = *qso;
    columns_keep_texts(&qsos[count++], &arena);
}

static void look(void *context, const struct qso *qso)
{
    (void)context;
    (void)qso;
}

static bool list(struct store *store, void (*visit)(void *context, const struct qso *qso))
{
    const struct position start = {INT64_MIN, INT64_MAX};
    return store_list_qsos(store, 1, start, PAGE, visit, NULL) == STORE_DONE;
}

static double measure_reading(struct store *store)
{
    double start = cpu_ms();
    for (int page = 0; page < PAGES; page++)
        if (!list(store, look))
            return 0;
    return (cpu_ms() - start) / PAGES;
}

static double measure_rendering(void)
{
    struct buffer buffer = {0};
    double start = cpu_ms();
    for (int page = 0; page < PAGES; page++) {
        buffer_clear(&buffer);
        for (size_t i = 0; i < count; i++)
            render_qso(&qsos[i], &buffer);
    }
    double taken = (cpu_ms() - start) / PAGES;
    buffer_free(&buffer);
    return taken;
}

int main(int argument_count, char **arguments)
{
    struct store *store;
    int64_t now_ms = 0;
    if (argument_count != 2 || store_open(arguments[1], OPEN_EXISTING, &store) != STORE_DONE)
        return 2;
    if (store_begin_read(store, &now_ms) != STORE_DONE || !list(store, keep) || count != PAGE)
        return 1;
    double reading = measure_reading(store);
    printf("%.4f\n", reading + measure_rendering());
    store_end_read(store);
    store_close(store);
    arena_free(&arena);
    return 0;
}
