/* Writes a log to a file, page by page, so that a log of any length needs little memory.
 * adif/mapping.c defines the format of a QSO in ADIF. CSV and XLSX have a column for each field in
 * the API, with values in the API's format. The caller decides where the bytes are written. */
#include "transfer/export.h"

#include <stdbool.h>

#include "adif/adx_writer.h"
#include "adif/mapping.h"
#include "adif/record.h"
#include "adif/rows.h"
#include "adif/writer.h"
#include "base/arena.h"
#include "base/budget.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/table.h"
#include "qso/fields.h"
#include "qso/values.h"
#include "store/log/leftovers.h"
#include "store/log/logbook.h"
#include "store/log/makers.h"
#include "store/log/qsos.h"
#include "transfer/csv.h"
#include "transfer/xlsx.h"

#define PAGE_QSOS 500

struct export
{
    struct store *store;
    const struct member *member;
    const struct export_options *options;
    bool (*write)(void *context, const char *bytes, size_t length);
    void *context;
    struct mapped_source source;
    struct export_counts *counts;
    struct arena arena;
    struct buffer buffer;
    struct position last;
    int64_t page_count; /* number of QSOs on the current page */
    bool only_counts;
    /* For ADIF: the time, and whether extra fields and makers are stored with QSOs. */
    int64_t now_ms;
    struct arena names_arena;
    struct table user_fields; /* for ADX: names for the header */
    struct xlsx_part sheet;   /* for XLSX */
    bool has_leftovers, has_makers;
    enum store_result result; /* result of reading the additional data */
};

static bool has_field(const struct record *record, const char *name)
{
    for (size_t i = 0; i < record->count; i++)
        if (text_equals(record->fields[i].name, text_of(name)))
            return true;
    return false;
}

/* Returns the count of QSOs that a strict reader rejects for the same reason as this record, or
 * NULL if the record is accepted. */
static int64_t *find_refusal(struct export_counts *counts, const struct record *record)
{
    if (!has_field(record, "CALL"))
        return &counts->no_callsign;
    if (!has_field(record, "MODE"))
        return &counts->no_mode;
    return has_field(record, "FREQ") ? NULL : &counts->no_frequency;
}

static bool is_wanted(const struct export *export, const struct qso *qso)
{
    if (export->options->band >= 0 && qso->values[FIELD_BAND].integer != export->options->band)
        return false;
    if (export->options->shows && !export->options->shows(export->options->filter, qso))
        return false;
    bool heard = qso_integer_or(qso, FIELD_QSO_STATUS, QSO_STATUS_WKD) == QSO_STATUS_HRD;
    if (heard && !export->options->heard)
        export->counts->heard++;
    return !heard || export->options->heard;
}

/* Appends a record. Returns false, without appending, if the export is strict and a strict reader
 * would reject the record. */
static bool append_record(struct export *export, const struct qso *qso)
{
    const bool is_adx = export->options->format == EXPORT_ADX;
    if (export->only_counts && !export->options->strict && !is_adx)
        return true;
    struct text leftovers = {0};
    if (export->options->limit && export->counts->exported == 0)
        writer_append_header(&export->buffer, export->source.member, export->options->version,
                             export->now_ms, -1);
    if (export->has_leftovers && (!export->only_counts || is_adx) && export->result == STORE_DONE)
        export->result =
            store_find_leftovers(export->store, export->member->id, qso->values[FIELD_ID].integer,
                                 &export->arena, &leftovers);
    if (export->has_makers && export->result == STORE_DONE)
        export->result = store_find_maker(export->store, &export->arena, export->member->id,
                                          qso->values[FIELD_ID].integer, &export->source.maker);
    struct record record =
        mapping_write(qso, leftovers, &export->source, export->options->strict, &export->arena);
    int64_t *refusal = export->options->strict ? find_refusal(export->counts, &record) : NULL;
    if (refusal)
        ++*refusal;
    else if (export->only_counts)
        adx_add_user_fields(&export->user_fields, &record);
    else if (is_adx)
        adx_append_record(&export->buffer, &record);
    else
        writer_append_record(&export->buffer, &record);
    return !refusal;
}

static void take_qso(void *context, const struct qso *qso)
{
    struct export *export = context;
    export->page_count++;
    export->last =
        (struct position){qso->values[FIELD_SYNCED_AT].integer, qso->values[FIELD_ID].integer};
    export->counts->last_id = export->last.id;
    if (!is_wanted(export, qso))
        return;
    if (export->options->format == EXPORT_CSV)
        csv_append_qso(&export->buffer, qso);
    else if (export->options->format == EXPORT_XLSX)
        xlsx_append_row(&export->buffer, export->counts->exported + 2, qso);
    else if (!append_record(export, qso))
        return;
    export->counts->exported++;
}

static bool pass_on(struct export *export)
{
    return export->write(export->context, export->buffer.bytes, export->buffer.length);
}

static enum store_result walk_log(struct export *export)
{
    const struct export_options *options = export->options;
    const int64_t id = export->member->id;
    int64_t asked, left = options->limit;
    bool wanted = true;
    enum store_result result = STORE_DONE;
    export->last =
        (struct position){options->since_ms, options->since_ms ? INT64_MAX : options->after};
    *export->counts = (struct export_counts){.last_id = options->after};
    do {
        asked = options->limit && left < PAGE_QSOS ? left : PAGE_QSOS;
        buffer_clear(&export->buffer);
        arena_reset(&export->arena);
        export->page_count = 0;
        result =
            options->limit
                ? store_list_qsos_by_id(export->store, id, export->last.id, asked, take_qso, export)
                : store_list_qsos(export->store, id, export->last, asked, take_qso, export);
        THEN(result, export->result);
        left -= export->page_count;
        if (export->only_counts) {
            xlsx_measure(&export->sheet,
                         (struct text){export->buffer.bytes, export->buffer.length});
            budget_renew();
        } else if (!options->limit || (result == STORE_DONE && export->buffer.length > 0))
            wanted = pass_on(export);
    } while (result == STORE_DONE && wanted && export->page_count == asked &&
             (!options->limit || left > 0));
    return result;
}

static void append_header(struct export *export, int64_t records)
{
    const struct export_options *options = export->options;
    if (options->format == EXPORT_ADX)
        adx_append_header(&export->buffer, &export->user_fields, options->version, export->now_ms);
    else
        writer_append_header(&export->buffer, export->member->callsign, options->version,
                             export->now_ms, records);
}

/* Writes the whole log. Reads the records first, because the header contains their number, so that
 * a truncated file can be detected. The header of ADX contains the names of user-defined fields. */
static enum store_result write_adif(struct export *export)
{
    export->only_counts = true;
    enum store_result result = walk_log(export);
    const int64_t records = export->counts->exported;
    export->only_counts = false;
    if (result != STORE_DONE)
        return result;
    buffer_clear(&export->buffer);
    append_header(export, records);
    if (!pass_on(export))
        return STORE_DONE;
    result = walk_log(export);
    buffer_clear(&export->buffer);
    if (export->options->format == EXPORT_ADX)
        adx_append_end(&export->buffer);
    else
        writer_append_end(&export->buffer, records);
    if (result == STORE_DONE)
        pass_on(export);
    return result;
}

static enum store_result write_csv(struct export *export)
{
    csv_append_qso(&export->buffer, NULL);
    return pass_on(export) ? walk_log(export) : STORE_DONE;
}

/* Appends the beginning of the sheet, with the names of the fields. */
static void begin_sheet(struct export *export)
{
    xlsx_append_sheet_begin(&export->buffer);
    xlsx_append_row(&export->buffer, 1, NULL);
}

static enum store_result write_xlsx(struct export *export)
{
    begin_sheet(export);
    xlsx_measure(&export->sheet, (struct text){export->buffer.bytes, export->buffer.length});
    export->only_counts = true;
    enum store_result result = walk_log(export);
    export->only_counts = false;
    if (result != STORE_DONE)
        return result;
    buffer_clear(&export->buffer);
    xlsx_append_sheet_end(&export->buffer);
    xlsx_measure(&export->sheet, (struct text){export->buffer.bytes, export->buffer.length});
    const struct xlsx_part sheet = export->sheet;
    buffer_clear(&export->buffer);
    xlsx_append_begin(&export->buffer, &sheet);
    begin_sheet(export);
    if (!pass_on(export))
        return STORE_DONE;
    result = walk_log(export);
    buffer_clear(&export->buffer);
    xlsx_append_sheet_end(&export->buffer);
    xlsx_append_end(&export->buffer, &sheet);
    if (result == STORE_DONE)
        pass_on(export);
    return result;
}

enum store_result export_log(struct store *store, const struct member *member,
                             const struct export_options *options,
                             bool (*write)(void *context, const char *bytes, size_t length),
                             void *context, struct export_counts *counts)
{
    struct export export = {.store = store,
                            .member = member,
                            .options = options,
                            .write = write,
                            .context = context,
                            .source = {.member = member->callsign},
                            .counts = counts,
                            .now_ms = clock_wall_ms(),
                            .has_makers = member->is_station,
                            .result = STORE_DONE};
    int64_t begun_ms = export.now_ms;
    enum store_result result = store_begin_read(store, &begun_ms);
    if (result != STORE_DONE)
        return result;
    table_begin(&export.user_fields, &export.names_arena, 0);
    const bool is_adif = options->format == EXPORT_ADIF || options->format == EXPORT_ADX;
    if (is_adif && !options->strict)
        result = store_has_leftovers(store, member->id, &export.has_leftovers);
    if (result == STORE_DONE)
        result = options->limit                  ? walk_log(&export)
                 : is_adif                       ? write_adif(&export)
                 : options->format == EXPORT_CSV ? write_csv(&export)
                                                 : write_xlsx(&export);
    store_end_read(store);
    buffer_free(&export.buffer);
    arena_free(&export.arena);
    arena_free(&export.names_arena);
    return result;
}
