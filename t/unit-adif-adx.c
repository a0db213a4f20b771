/* Tests converting ADX to ADI (src/adif/adx.c), and writing ADX (src/adif/adx_writer.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit-adif.h"
#include "adif/adx.h"
#include "adif/adx_writer.h"
#include "adif/tag.h"

/* Returns the conversion's result in the notation of the table. */
static char *convert(struct text file)
{
    struct adx_fault fault;
    struct buffer out = {0};
    assert_true(adx_is(file));
    const struct text adi = adx_to_adi(file, &arena, &fault);
    if (fault.reason)
        buffer_print(&out, "%lld! %s", (long long)fault.line, fault.reason);
    else
        append_escaped(&out, adi);
    buffer_append(&out, "", 1);
    char *copy = arena_copy(&arena, out.bytes, out.length - 1);
    buffer_free(&out);
    return copy;
}

static void files_are_converted_as_in_the_table(void **state)
{
    (void)state;
    FILE *table = open_table("adx_files.tsv");
    char line[4096];
    int cases = 0;
    while (read_row(table, line, sizeof line)) {
        char *expected = line;
        strsep(&expected, "\t");
        char *file = strsep(&expected, "\t");
        assert_non_null(file);
        assert_string_equal(convert((struct text){file, read_escaped(file)}), expected);
        cases++;
    }
    fclose(table);
    assert_true(cases > 25);
}

static void only_adx_is_converted(void **state)
{
    (void)state;
    assert_false(adx_is(text_of("")));
    assert_false(adx_is(text_of("<CALL:3>ADX<EOR>")));
    assert_false(adx_is(text_of("about <ADX>\n<EOH>")));
    assert_false(adx_is(text_of("<?xml version=\"1.0\"?><html></html>")));
    assert_false(adx_is(text_of("<ADXR>")));
}

/* Returns a file that has the parts `before` and `after` once, and the part `middle` repeatedly. */
static struct text repeat(const char *before, const char *middle, size_t count, const char *after)
{
    struct buffer file = {0};
    buffer_append_string(&file, before);
    for (size_t i = 0; i < count; i++)
        buffer_append_string(&file, middle);
    buffer_append_string(&file, after);
    return encoding_take(&file, &arena);
}

static void hostile_files_are_refused(void **state)
{
    (void)state;
    assert_string_equal(convert(repeat("<ADX>", "<HEADER>", 1000000, "")),
                        "1! is ADX with an element in a wrong place");
    assert_string_equal(
        convert(repeat("<ADX><RECORDS><RECORD><NOTES>", "x", TAG_LENGTH_MAX + 1, "</NOTES>")),
        "1! is ADX with a value of more than 1 MiB");
    assert_string_equal(convert(repeat("<ADX><RECORDS><RECORD><", "x", 1000000, "/>")),
                        "1! is ADX with a field whose name ADIF does not allow");
}

static void a_written_record_reads_back_unchanged(void **state)
{
    (void)state;
    static const char *const values[] = {
        "26AT101", "",       " a ", "<EOR>&amp;\"'",
        "a\nb",    "a\r\nb", "\r",  "J\xc3\xbcrgen \xf0\x9f\x98\x80",
        "]]>"};
    static const char *const names[] = {"CALL", "APP_QSOSYNC_QSO_AT", "APP_X_A B", "DOK", "2m",
                                        "APP_X"};
    struct record_field written[sizeof values / sizeof *values * sizeof names / sizeof *names];
    size_t count = 0;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        for (size_t j = 0; j < sizeof names / sizeof *names; j++)
            written[count++] =
                (struct record_field){.name = text_of(names[j]), .value = text_of(values[i])};
    const struct record record = {.fields = written, .count = count};
    struct table names_of_user;
    struct buffer out = {0};
    struct adx_fault fault;
    table_begin(&names_of_user, &arena, 0);
    adx_add_user_fields(&names_of_user, &record);
    assert_int_equal(names_of_user.count, 3);
    adx_append_header(&out, &names_of_user, "1.1", 1795241043569);
    assert_non_null(
        strstr(out.bytes, "<USERDEF FIELDID=\"3\" TYPE=\"G\">APP_X</USERDEF></HEADER>"));
    adx_append_record(&out, &record);
    adx_append_end(&out);
    buffer_append(&out, "", 1);
    const struct text adi = adx_to_adi((struct text){out.bytes, out.length - 1}, &arena, &fault);
    assert_null(fault.reason);
    const char *at = strstr(adi.bytes, "<EOH>") + strlen("<EOH>");
    for (size_t i = 0; i < count; i++) {
        const struct tag tag = tag_read(adi, (size_t)(strchr(at, '<') - adi.bytes));
        assert_true(text_equals(tag.name, written[i].name));
        assert_true(text_equals((struct text){adi.bytes + tag.end, tag.length}, written[i].value));
        at = adi.bytes + tag.end + tag.length;
    }
    buffer_free(&out);
}

static void what_xml_cannot_contain_is_replaced(void **state)
{
    (void)state;
    struct record_field field = {.name = text_of("CALL"), .value = text_of("a\x01\xef\xbf\xbf")};
    const struct record record = {.fields = &field, .count = 1};
    struct buffer out = {0};
    adx_append_record(&out, &record);
    buffer_append(&out, "", 1);
    assert_string_equal(out.bytes, "<RECORD><CALL>a\xef\xbf\xbd\xef\xbf\xbd</CALL></RECORD>\n");
    buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_converted_as_in_the_table),
        cmocka_unit_test(only_adx_is_converted),
        cmocka_unit_test(hostile_files_are_refused),
        cmocka_unit_test(a_written_record_reads_back_unchanged),
        cmocka_unit_test(what_xml_cannot_contain_is_replaced),
    };
    return cmocka_run_group_tests_name("ADX", tests, NULL, free_memory);
}
