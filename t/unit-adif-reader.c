/* Tests the reader, which finds the records in an ADIF file (src/adif/reader.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "unit-adif.h"
#include "adif/reader.h"
#include "adif/record.h"
#include "adif/rows.h"
#include "adif/tag.h"
#include "qso/fields.h"

static void append_upper(struct buffer *out, struct text name)
{
    char upper[TAG_NAME_MAX];
    if (name.length > 0)
        text_to_upper(name, upper);
    buffer_append(out, upper, name.length);
}

/* Returns whether a later field has the same name. If this field has a value, the later field must
 * also have a value. */
static bool is_replaced(const struct record *record, size_t index)
{
    const struct record_field *field = &record->fields[index];
    const bool is_empty = text_trim(field->value).length == 0;
    for (size_t i = 0; i < record->count; i++) {
        const struct record_field *other = &record->fields[i];
        const bool same =
            other->name.length == field->name.length &&
            strncasecmp(other->name.bytes, field->name.bytes, field->name.length) == 0;
        const bool other_is_empty = text_trim(other->value).length == 0;
        if (i != index && same && (other_is_empty ? is_empty && i < index : is_empty || i > index))
            return true;
    }
    return false;
}

static void print_record(struct buffer *out, const struct record *record)
{
    buffer_print(out, "%lld:", (long long)record->line);
    for (size_t i = 0; i < record->count; i++) {
        const struct record_field *field = &record->fields[i];
        if (is_replaced(record, i))
            continue;
        buffer_append_string(out, " ");
        append_upper(out, field->name);
        buffer_append_string(out, field->cut ? "~=" : "=");
        append_escaped(out, field->value);
        buffer_append_string(out, ";");
    }
}

/* Returns the content of the file in the notation of the table: valid records, and the reasons why
 * other records are wrong. */
static char *read_all(struct text file)
{
    struct reader *reader = reader_create(file, &arena);
    struct record record;
    struct reader_fault fault;
    struct buffer out = {0};
    int64_t number = 0;
    for (enum reader_event event; (event = reader_next(reader, &record, &fault)) != READER_END;) {
        if (event == READER_HEADER)
            continue;
        buffer_append_string(&out, number > 0 ? "\t" : "");
        assert_int_equal(event == READER_WRONG ? fault.number : record.number, ++number);
        if (event == READER_RECORD) {
            print_record(&out, &record);
            continue;
        }
        buffer_print(&out, "%lld! ", (long long)fault.line);
        append_upper(&out, fault.field);
        buffer_print(&out, "%s%s", fault.field.length > 0 ? " " : "", fault.reason);
    }
    buffer_append(&out, "", 1);
    return out.bytes;
}

static void assert_read(struct text file, const char *expected)
{
    char *seen = read_all(file);
    assert_string_equal(seen, expected);
    free(seen);
}

static void records_are_parsed_as_in_the_table(void **state)
{
    (void)state;
    FILE *table = open_table("adif_records.tsv");
    char line[4096];
    int cases = 0;
    while (read_row(table, line, sizeof line)) {
        char *expected = line;
        strsep(&expected, "\t");
        char *file = strsep(&expected, "\t");
        assert_non_null(file);
        assert_read((struct text){file, read_escaped(file)}, expected ? expected : "");
        cases++;
    }
    fclose(table);
    assert_true(cases > 70);
}

static void a_record_has_a_length_limit_but_a_file_has_none(void **state)
{
    (void)state;
    size_t size = 3 * READER_RECORD_MAX;
    char *file = malloc(size + 64);
    memset(file, 'x', size);
    memcpy(file, "<A:1>a<EOR><B:1>b\n", 18);
    strcpy(file + size, "<EOR>\n<C:1>c<EOR>");
    assert_read(text_of(file), "1: A=a;\t1! is longer than a record can be\t3: C=c;");
    free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_are_parsed_as_in_the_table),
        cmocka_unit_test(a_record_has_a_length_limit_but_a_file_has_none),
    };
    return cmocka_run_group_tests_name("ADIF reader", tests, NULL, free_memory);
}
