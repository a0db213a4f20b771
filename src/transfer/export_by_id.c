/* Writes QSOs by their ids, page by page. A QSO that changes later keeps its id, so a program that
 * asks in this way sees it once; the API tells of changes, too. What a QSO looks like in ADIF is
 * decided in adif/mapping.c. */
#include "transfer/export_by_id.h"

#include "adif/mapping.h"
#include "adif/writer.h"
#include "base/clock.h"
#include "store/leftovers.h"
#include "store/logbook.h"
#include "store/qsos.h"

#define PAGE_QSOS 500

struct work {
    struct store *store;
    struct export_by_id *wish;
    struct mapped_source source;
    struct arena arena;
    struct buffer buffer;
    int64_t now_ms, page_count;
    bool has_leftovers;
    enum store_result result;
};

static void write_qso(struct work *work, const struct qso *qso)
{
    struct export_by_id *wish = work->wish;
    struct text leftovers = {0};
    if (work->has_leftovers)
        work->result = store_find_leftovers(work->store, wish->member->member_id, wish->last,
                                            &work->arena, &leftovers);
    if (wish->exported == 0)
        writer_append_header(&work->buffer, wish->member->callsign, wish->version, work->now_ms,
                             -1);
    struct record record = mapping_write(qso, leftovers, &work->source, false, &work->arena);
    writer_append_record(&work->buffer, &record);
    wish->exported++;
}

static void take_qso(void *context, const struct qso *qso)
{
    struct work *work = context;
    const struct value *status = &qso->values[FIELD_QSO_STATUS];
    work->page_count++;
    work->wish->last = qso->values[FIELD_ID].integer;
    bool heard = status->presence == VALUE_PRESENT && status->integer == QSO_STATUS_HRD;
    if (!heard && work->result == STORE_DONE)
        write_qso(work, qso);
}

static enum store_result write_pages(struct work *work,
                                     bool (*write)(void *context, const char *bytes, size_t length),
                                     void *context)
{
    int64_t left = work->wish->limit;
    int64_t asked = 0;
    bool wanted = true;
    do {
        asked = left < PAGE_QSOS ? left : PAGE_QSOS;
        work->page_count = 0;
        buffer_clear(&work->buffer);
        arena_reset(&work->arena);
        enum store_result result = store_list_qsos_by_id(work->store, work->wish->member->member_id,
                                                         work->wish->last, asked, take_qso, work);
        if (result != STORE_DONE || work->result != STORE_DONE)
            return result != STORE_DONE ? result : work->result;
        if (work->buffer.length > 0)
            wanted = write(context, work->buffer.bytes, work->buffer.length);
        left -= work->page_count;
    } while (wanted && work->page_count == asked && left > 0);
    return STORE_DONE;
}

enum store_result export_by_id(struct store *store, struct export_by_id *wish,
                               bool (*write)(void *context, const char *bytes, size_t length),
                               void *context)
{
    struct work work = {.store = store,
                        .wish = wish,
                        .source = {.member = wish->member->callsign},
                        .now_ms = clock_wall_ms(),
                        .result = STORE_DONE};
    int64_t begun_ms = work.now_ms;
    wish->exported = 0;
    wish->last = wish->after;
    enum store_result result = store_begin_read(store, &begun_ms);
    if (result != STORE_DONE)
        return result;
    result = store_has_leftovers(store, wish->member->member_id, &work.has_leftovers);
    if (result == STORE_DONE)
        result = write_pages(&work, write, context);
    store_end_read(store);
    buffer_free(&work.buffer);
    arena_free(&work.arena);
    return result;
}
