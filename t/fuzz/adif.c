/* Any bytes as an ADIF file: cut in pieces anywhere it gives the same records; what is accepted as
 * a QSO is written and read again as the same QSO. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "adif/mapping.h"
#include "adif/merge.h"
#include "adif/naming.h"
#include "adif/reader.h"
#include "adif/record.h"
#include "demand.h"
#include "qso/fields.h"
#include "qso/values.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct mapped_source source = {.member = {"21SD333", 7}};

/* Each gets the records of a file; the reader's memory goes after the call. */
typedef void visitor(void *context, const struct record *record);

static uint64_t read_file(const uint8_t *data, size_t size, size_t chunk, visitor *visit,
                          void *context)
{
    struct reader *reader = reader_create();
    struct record record;
    struct reader_fault fault;
    uint64_t hash = TEXT_HASH_START;
    size_t at = 0;
    for (enum reader_event event; (event = reader_next(reader, &record, &fault)) != READER_END;) {
        if (event == READER_MORE) {
            size_t length = size - at < chunk ? size - at : chunk;
            if (length > 0)
                reader_feed(reader, data + at, length);
            else
                reader_finish(reader);
            at += length;
            continue;
        }
        hash = text_hash(hash, &event, sizeof event);
        if (event == READER_WRONG) {
            hash = text_hash(hash, fault.field.bytes, fault.field.length);
            hash = text_hash(hash, fault.reason, strlen(fault.reason));
            hash = text_hash(hash, &fault.line, sizeof fault.line);
            continue;
        }
        for (size_t i = 0; i < record.count; i++) {
            const struct record_field *field = &record.fields[i];
            hash = text_hash(hash, field->name.bytes, field->name.length);
            hash = text_hash(hash, field->value.bytes, field->value.length);
            hash = text_hash(hash, &field->line, sizeof field->line);
            hash = text_hash(hash, &field->cut, sizeof field->cut);
        }
        if (event == READER_RECORD && visit)
            visit(context, &record);
    }
    reader_free(reader);
    return hash;
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
        if (fields[i].kind == KIND_TEXT && qso->values[i].presence == VALUE_PRESENT)
            demand(text_is_utf8(qso->values[i].text, qso->values[i].length));
}

struct again {
    struct arena arena;
    const struct qso *expected;
    size_t count;
};

static void compare(void *context, const struct record *record)
{
    struct again *again = context;
    struct mapped mapped;
    struct qso qso;
    again->count++;
    demand(mapping_read(record, &source, &again->arena, &mapped) == MAPPING_QSO);
    demand(merge_record(&mapped, NULL, MERGE_ADD, &again->arena, &qso));
    demand_same(&qso, again->expected);
}

static void try_record(void *context, const struct record *record)
{
    struct again again = {0};
    struct mapped mapped;
    struct qso qso, same;
    struct naming_name name;
    if (mapping_read(record, &source, &again.arena, &mapped) == MAPPING_QSO) {
        naming_next(context, &mapped.qso, source.member, &name);
        demand_utf8(&mapped.qso);
        demand(merge_record(&mapped, NULL, MERGE_ADD, &again.arena, &qso));
        demand(!merge_record(&mapped, &qso, MERGE_ADD, &again.arena, &same));
        demand_same(&qso, &same);
        again.expected = &qso;
        for (int strict = 0; strict < 2; strict++) {
            struct buffer file = {0};
            struct record written =
                mapping_write(&qso, (struct text){0}, &source, strict, &again.arena);
            writer_append_record(&file, &written);
            read_file((const uint8_t *)file.bytes, file.length, 4096, compare, &again);
            demand(again.count == (size_t)strict + 1);
            buffer_free(&file);
        }
    }
    arena_free(&again.arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct naming *naming = naming_create();
    uint64_t hash = read_file(data, size, size + 1, try_record, naming);
    demand(read_file(data, size, 61, NULL, NULL) == hash);
    if (size < 2000)
        demand(read_file(data, size, 1, NULL, NULL) == hash);
    naming_free(naming);
    return 0;
}
