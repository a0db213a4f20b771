/* Provides functions for unit tests that map an ADIF record and compare the resulting QSO. */
#ifndef QSOSYNC_T_UNIT_ADIF_H
#define QSOSYNC_T_UNIT_ADIF_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adif/encoding.h"
#include "adif/mapping.h"
#include "adif/merge.h"
#include "adif/reader.h"
#include "adif/record.h"
#include "adif/rows.h"
#include "adif/said.h"
#include "adif/slots.h"
#include "adif/standard.h"
#include "qso/fields.h"
#include "qso/values.h"

/* Prints a case, so that a failure shows the case's record. Bytes outside ASCII are printed as
 * numbers, because some records are not UTF-8, and Perl's reader of these lines would treat such
 * bytes as damage. */
static inline void print_case(const char *record)
{
    for (; *record; record++)
        print_message((unsigned char)*record < 0x80 ? "%c" : "\\x%02x", (unsigned char)*record);
    print_message("\n");
}

static struct arena arena;

/* Appends bytes in the notation of the tables in t/data. */
static inline void append_escaped(struct buffer *out, struct text bytes)
{
    static const char special[] = "\n\r\t\\", letters[] = "nrt\\";
    for (size_t i = 0; i < bytes.length; i++) {
        const unsigned char byte = (unsigned char)bytes.bytes[i];
        const char *found = byte ? strchr(special, byte) : NULL;
        if (found)
            buffer_print(out, "\\%c", letters[found - special]);
        else
            buffer_print(out, byte < ' ' || byte > '~' ? "\\x%02x" : "%c", byte);
    }
}

/* Replaces a table's cell with the bytes that the cell denotes. Returns the number of bytes. */
static inline size_t read_escaped(char *cell)
{
    static const char special[] = "\n\r\t\\", letters[] = "nrt\\";
    char *out = cell;
    for (const char *at = cell; *at; at++) {
        const char *found = *at == '\\' ? strchr(letters, at[1]) : NULL;
        unsigned value;
        if (*at != '\\') {
            *out++ = *at;
        } else if (found) {
            *out++ = special[found - letters];
            at++;
        } else {
            assert_int_equal(sscanf(at, "\\x%2x", &value), 1);
            *out++ = (char)value;
            at += 3;
        }
    }
    return (size_t)(out - cell);
}

/* Opens a table in t/data. Other readers are tested with the same table. */
static inline FILE *open_table(const char *name)
{
    const char *source = getenv("QSOSYNC_SRCDIR");
    FILE *table = fopen(arena_print(&arena, "%s/t/data/%s", source ? source : ".", name), "re");
    assert_non_null(table);
    return table;
}

/* Reads the next row of a table into `line`, without comments and without the end of the line, and
 * prints the row. Returns false at the end of the table. */
static inline bool read_row(FILE *table, char *line, int size)
{
    while (fgets(line, size, table)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#')
            continue;
        print_message("%s\n", line);
        return true;
    }
    return false;
}

static struct buffer told;

static inline void note(void *context, enum mapped_notice notice, struct text field, int64_t line,
                        const char *reason)
{
    static const char *const words[] = {"refused", "left out", "changed", "no place"};
    (void)context;
    (void)line;
    buffer_print(&told, "%s %.*s%s%s;", words[notice], (int)field.length, field.bytes,
                 reason ? " " : "", reason ? reason : "");
}

static inline enum mapping_outcome map_for(const char *file, const char *member, struct mapped *out)
{
    struct reader *reader = reader_create(text_of(file), &arena);
    struct record record;
    struct reader_fault fault;
    struct mapped_source source = {.member = text_of(member), .report = note};
    enum reader_event event = reader_next(reader, &record, &fault);
    while (event == READER_HEADER)
        event = reader_next(reader, &record, &fault);
    assert_int_equal(event, READER_RECORD);
    buffer_clear(&told);
    encoding_read_record(NULL, &record, &arena);
    enum mapping_outcome outcome = mapping_read(&record, &source, &arena, out);
    buffer_append(&told, "", 1);
    return outcome;
}

static inline enum mapping_outcome map(const char *file, struct mapped *out)
{
    return map_for(file, "21SD333", out);
}

#define WHEN "<QSO_DATE:8>20260517<TIME_ON:6>194233"

/* Returns the field's value as the API writes the value, or "-" if the QSO has no value. */
static inline const char *value_text(const struct qso *qso, enum field_index field)
{
    struct buffer text = {0};
    if (qso->values[field].state != VALUE_PRESENT)
        return "-";
    values_format(&fields[field], &qso->values[field], &text);
    char *copy = arena_copy(&arena, text.bytes ? text.bytes : "", text.length);
    buffer_free(&text);
    return copy;
}

static inline enum field_index find_field(const char *name)
{
    enum field_index field = 0;
    while (field < FIELD_COUNT && strcmp(fields[field].name, name) != 0)
        field++;
    assert_true(field < FIELD_COUNT);
    return field;
}

static inline void set(struct qso *qso, enum field_index field, const char *text)
{
    assert_null(values_parse(&fields[field], text_of(text), &arena, &qso->values[field]));
}

/* Returns a QSO in its stored form, in which every field is present or null. */
static inline struct qso stored_qso(const char *band)
{
    struct qso qso = {0};
    for (int i = 0; i < FIELD_COUNT; i++)
        qso.values[i].state = VALUE_NULL;
    set(&qso, FIELD_CLIENT_ID, "2f1c9a4e-6a57-4d57-9f0e-0d5c3f6a1b20");
    set(&qso, FIELD_BAND, band);
    set(&qso, FIELD_QSO_AT, "2026-05-17T19:42:33Z");
    set(&qso, FIELD_QSL_SENT, "false");
    set(&qso, FIELD_QSL_RECEIVED, "false");
    qso.values[FIELD_ID] = (struct value){.integer = 7, .state = VALUE_PRESENT};
    if (strcmp(band, "PMR446") == 0)
        set(&qso, FIELD_CHANNEL, "8");
    return qso;
}

static inline bool merge(const struct mapped *mapped, const struct qso *stored, enum merge_way way,
                         struct qso *merged)
{
    const struct merging merging = {.record = mapped, .stored = stored, .way = way};
    return merge_record(&merging, &arena, merged);
}

static inline int free_memory(void **state)
{
    (void)state;
    arena_free(&arena);
    buffer_free(&told);
    return 0;
}

#endif
