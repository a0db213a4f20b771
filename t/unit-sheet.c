/* Tests how a text with separated values becomes records. For each file in t/data/sheets,
 * expected.json contains the columns, the questions, the answers and the records, which the tests
 * of the page Import share. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "adif/encoding.h"
#include "adif/reader.h"
#include "base/datetime.h"
#include "base/text_utf8.h"
#include "json/read.h"
#include "transfer/sheet_columns.h"
#include "transfer/sheet_records.h"
#include "transfer/sheet_rows.h"
#include "transfer/sheet_values.h"
#include "transfer/sheet_zone.h"
#include "transfer/unfold.h"

#define ZONE "Europe/Berlin"
#define NOW_MS INT64_C(1795798620000) /* 2026-11-27T16:57:00Z */

static struct arena arena;

static struct text read_file(const char *name)
{
    const char *path = arena_print(&arena, "%s/t/data/sheets/%s",
                                   getenv("QSOSYNC_SRCDIR") ? getenv("QSOSYNC_SRCDIR") : ".", name);
    FILE *file = fopen(path, "rb");
    struct buffer bytes = {0};
    if (!file)
        fail_msg("%s is missing", path);
    for (size_t count; (count = fread(buffer_reserve(&bytes, 65536), 1, 65536, file)) > 0;)
        bytes.length += count;
    fclose(file);
    return encoding_take(&bytes, &arena);
}

/* Returns the lines in an array of texts. */
static void add_line(void *context, struct text name, const struct json_value *value)
{
    struct buffer *lines = context;
    (void)name;
    buffer_append(lines, value->text.bytes, value->text.length);
    buffer_append_string(lines, "\n");
}

static char *lines_of(const struct json_fields *object, const char *name)
{
    struct buffer lines = {0};
    json_each_item(object, name, add_line, &lines);
    char *text = arena_copy(&arena, lines.bytes ? lines.bytes : "", lines.length);
    buffer_free(&lines);
    return text;
}

static void add_answer(void *context, struct text name, const struct json_value *value)
{
    sheet_set_answer(context, arena_copy(&arena, name.bytes, name.length),
                     arena_copy(&arena, value->text.bytes, value->text.length));
}

static char *take(struct buffer *buffer)
{
    char *text = arena_copy(&arena, buffer->bytes ? buffer->bytes : "", buffer->length);
    buffer_free(buffer);
    return text;
}

static char *show_fields(const struct sheet *sheet)
{
    struct buffer out = {0};
    for (size_t i = 0; i < sheet->column_count; i++)
        buffer_print(&out, "%s%s", i ? " " : "", sheet_field_name(sheet->columns[i].field));
    return take(&out);
}

static char *show_questions(const struct sheet_question *question)
{
    struct buffer out = {0};
    for (; question; question = question->next)
        buffer_print(&out, "%s: %.*s -> %s\n", question->id, (int)question->example.cell.length,
                     question->example.cell.bytes, question->chosen ? question->chosen : "null");
    return take(&out);
}

/* Returns the records as the reader of ADIF finds them. */
static char *show_records(const struct sheet_records *records)
{
    struct buffer out = {0};
    struct record record;
    struct reader_fault fault;
    const int64_t *rows = (const int64_t *)(const void *)records->rows.bytes;
    struct reader *reader = reader_create(
        (struct text){records->adi.bytes ? records->adi.bytes : "", records->adi.length}, &arena);
    for (enum reader_event event; (event = reader_next(reader, &record, &fault)) != READER_END;) {
        assert_int_equal(event, READER_RECORD);
        buffer_print(&out, "%lld:", (long long)rows[record.number - 1]);
        for (size_t i = 0; i < record.count; i++)
            buffer_print(&out, " %.*s=%.*s", (int)record.fields[i].name.length,
                         record.fields[i].name.bytes, (int)record.fields[i].value.length,
                         record.fields[i].value.bytes);
        buffer_append_string(&out, "\n");
    }
    return take(&out);
}

static char *show_remarks(const struct sheet_records *records)
{
    static const char *const kinds[] = {
        [REMARK_NEXT_DAY] = "nextDay", [REMARK_OTHER_YEAR] = "otherYear",
        [REMARK_TWICE] = "twice",      [REMARK_SKIPPED] = "skipped",
        [REMARK_NOTE] = "note",        [REMARK_OMITTED] = "omitted"};
    struct buffer out = {0};
    for (size_t i = 0; i < records->remark_count; i++)
        buffer_print(&out, "%zu: %s %s\n", records->remarks[i].row, kinds[records->remarks[i].kind],
                     records->remarks[i].text);
    return take(&out);
}

static struct text decode(const char *name, struct text encoding)
{
    bool fails;
    struct text text = survey_unfold(read_file(name), NULL, &arena, &fails);
    assert_false(fails);
    if (!text_equals_ignoring_case(encoding, "utf-8")) {
        struct encoding *opened =
            encoding_open(arena_copy(&arena, encoding.bytes, encoding.length), &arena);
        assert_non_null(opened);
        assert_true(encoding_convert(opened, text, &arena, &text));
        encoding_close(opened);
    }
    assert_true(text_is_utf8(text.bytes, text.length));
    return text_begins_ignoring_case(text, "\xEF\xBB\xBF") ? text_skip(text, 3) : text;
}

/* The result of reading a text. */
struct outcome {
    struct sheet sheet;
    struct sheet_facts facts;
    struct table answers;
    struct sheet_question *questions;
    struct sheet_records records;
};

static void read_text(struct text text, struct outcome *out)
{
    struct sheet_rows rows;
    assert_int_equal(sheet_read_rows(text, &arena, &rows), SHEET_READ);
    sheet_recognise(rows, &arena, &out->sheet);
    sheet_survey(&out->sheet, NOW_MS, &out->facts);
    out->questions = sheet_choose(&out->sheet, &out->facts, &out->answers, ZONE, NOW_MS);
    sheet_read_records(&out->sheet, &out->facts, &out->answers, &out->records);
}

static void check_file(void *context, struct text name, const struct json_value *value)
{
    const char *file = arena_copy(&arena, name.bytes, name.length);
    const struct json_fields *expected = json_find_object(context, file);
    struct outcome *out = arena_allocate_zeroed(&arena, sizeof *out);
    (void)value;
    print_message("%s\n", file);
    table_begin(&out->answers, &arena, sizeof(const char *));
    json_each(json_find_object(expected, "answers"), add_answer, &out->answers);
    read_text(decode(file, json_read_text(expected, "encoding")), out);
    const struct text fields = json_read_text(expected, "fields");
    assert_string_equal(show_fields(&out->sheet), arena_copy(&arena, fields.bytes, fields.length));
    assert_string_equal(show_questions(out->questions), lines_of(expected, "questions"));
    for (const struct sheet_question *one = out->questions; one; one = one->next)
        assert_non_null(sheet_answer(&out->answers, one->id));
    assert_string_equal(show_records(&out->records), lines_of(expected, "records"));
    assert_string_equal(show_remarks(&out->records), lines_of(expected, "remarks"));
    buffer_free(&out->records.adi);
    buffer_free(&out->records.rows);
}

static void files_become_the_expected_records(void **state)
{
    static const struct json_bounds bounds = {.items_max = JSON_ITEMS_MAX};
    const char *message = NULL;
    (void)state;
    const struct json_fields *expected =
        json_read_object(read_file("expected.json"), &bounds, &arena, &message);
    if (!expected)
        fail_msg("%s", message);
    json_each(expected, check_file, (void *)(uintptr_t)expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_become_the_expected_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
