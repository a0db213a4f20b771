/* Reads any bytes as an ADIF file. The records are parts of the file, in order. A record that is
 * accepted as a QSO is written in both forms, and read again as the same QSO. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "adif/adx_writer.h"
#include "adif/encoding.h"
#include "adif/mapping.h"
#include "adif/merge.h"
#include "adif/reader.h"
#include "adif/record.h"
#include "adif/rows.h"
#include "adif/standard.h"
#include "adif/writer.h"
#include "base/text_utf8.h"
#include "demand.h"
#include "qso/fields.h"
#include "qso/values.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct mapped_source source = {.member = {"21SD333", 7}};

/* Receives each record of a file. */
typedef void visitor(void *context, const struct record *record);

static void read_file(struct text file, visitor *visit, void *context)
{
    struct arena arena = {0};
    struct reader *reader = reader_create(file, &arena);
    struct record record;
    struct reader_fault fault;
    file = reader_text(reader); /* not the file if it was ADX */
    const char *at = file.bytes;
    int64_t line = 1;
    for (enum reader_event event; (event = reader_next(reader, &record, &fault)) != READER_END;) {
        if (event == READER_WRONG) {
            demand(fault.line >= line && fault.reason != NULL);
            line = fault.line;
            at = file.bytes + reader_position(reader);
            continue;
        }
        for (size_t i = 0; i < record.count; i++) {
            const struct record_field *field = &record.fields[i];
            demand(field->line >= line && field->name.bytes >= at);
            demand(field->value.bytes > field->name.bytes);
            line = field->line;
            at = field->value.bytes + field->value.length;
            demand(at <= file.bytes + reader_position(reader));
        }
        if (event == READER_RECORD)
            visit(context, &record);
    }
    demand(reader_position(reader) == file.length);
    arena_free(&arena);
}

static void demand_same(const struct qso *a, const struct qso *b)
{
    for (int i = 0; i < FIELD_COUNT; i++)
        if (!(fields[i].flags & (FIELD_READ_ONLY | FIELD_WRITE_ONLY)))
            demand(values_equal(&fields[i], &a->values[i], &b->values[i]));
}

static void demand_utf8(const struct qso *qso)
{
    for (int i = 0; i < FIELD_COUNT; i++)
        if (fields[i].kind == KIND_TEXT && qso->values[i].state == VALUE_PRESENT)
            demand(text_is_utf8(qso->values[i].text, qso->values[i].length));
}

struct again {
    struct arena arena;
    const struct qso *expected;
    size_t count;
};

static bool merge(const struct mapped *mapped, const struct qso *stored, struct arena *arena,
                  struct qso *out)
{
    const struct merging merging = {.record = mapped, .stored = stored, .way = MERGE_ADD};
    return merge_record(&merging, arena, out);
}

static void compare(void *context, const struct record *record)
{
    struct again *again = context;
    struct mapped mapped;
    struct qso qso;
    again->count++;
    demand(mapping_read(record, &source, &again->arena, &mapped) == MAPPING_QSO);
    demand(merge(&mapped, NULL, &again->arena, &qso));
    demand_same(&qso, again->expected);
}

static void write_adx(struct buffer *file, const struct record *record, struct arena *arena)
{
    struct table names;
    table_begin(&names, arena, 0);
    adx_add_user_fields(&names, record);
    adx_append_header(file, &names, "1.1", 0);
    adx_append_record(file, record);
    adx_append_end(file);
}

static void try_record(void *context, const struct record *found)
{
    (void)context;
    struct again again = {0};
    struct record copy = *found, *const record = &copy;
    struct mapped mapped;
    struct qso qso, same;
    encoding_read_record(NULL, record, &again.arena);
    if (mapping_read(record, &source, &again.arena, &mapped) == MAPPING_QSO) {
        demand_utf8(&mapped.qso);
        demand(merge(&mapped, NULL, &again.arena, &qso));
        demand(!merge(&mapped, &qso, &again.arena, &same));
        demand_same(&qso, &same);
        again.expected = &qso;
        for (int form = 0; form < 4; form++) {
            struct buffer file = {0};
            struct record written =
                mapping_write(&qso, (struct text){0}, &source, form % 2, &again.arena);
            if (form < 2)
                writer_append_record(&file, &written);
            else
                write_adx(&file, &written, &again.arena);
            read_file((struct text){file.bytes, file.length}, compare, &again);
            demand(again.count == (size_t)form + 1);
            buffer_free(&file);
        }
    }
    arena_free(&again.arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_file((struct text){(const char *)data, size}, try_record, NULL);
    return 0;
}
