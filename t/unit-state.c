/* Tests the compact form of an earlier version of a QSO. Every field reads back unchanged, and
 * reading damaged bytes is safe. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "qso/content.h"
#include "qso/values.h"
#include "store/columns.h"
#include "store/state.h"

/* Returns a value of the field's kind. */
static struct value make_value(int field)
{
    struct value value = {.state = VALUE_PRESENT};
    switch (fields[field].kind) {
    case KIND_REAL:
        value.real = -0.25 * field;
        break;
    case KIND_UUID:
        value.text = "0123456789abcdef";
        value.length = 16;
        break;
    case KIND_LOCATOR:
    case KIND_PATTERN:
    case KIND_TEXT:
        value.text = fields[field].name;
        value.length = (uint32_t)strlen(fields[field].name);
        break;
    case KIND_DATETIME:
        value.integer = INT64_C(-62135596800000) + field;
        break;
    case KIND_CHOICE:
    case KIND_FREQUENCY:
    case KIND_INTEGER:
    case KIND_BOOLEAN:
    case KIND_ID:
        value.integer = 1;
        break;
    }
    return value;
}

static struct qso make_qso(void)
{
    struct qso qso;
    for (int i = 0; i < FIELD_COUNT; i++)
        qso.values[i] = make_value(i);
    return qso;
}

static struct text text_of_buffer(const struct buffer *buffer)
{
    return (struct text){buffer->bytes, buffer->length};
}

static void every_field_reads_back_as_written(void **unused)
{
    (void)unused;
    struct arena arena = {0};
    struct buffer state = {0};
    const struct qso qso = make_qso();
    struct qso read = {0};
    state_write(&qso, STATE_WHOLE, &state);
    assert_true(state_read(text_of_buffer(&state), &arena, &read));
    for (int i = 0; i < FIELD_COUNT; i++)
        if (content_has(&fields[i]))
            assert_true(values_equal(&fields[i], &qso.values[i], &read.values[i]));
    assert_true(read.values[FIELD_CREATED_AT].integer == qso.values[FIELD_CREATED_AT].integer);
    assert_true(read.values[FIELD_SPOTTED_AT].integer == qso.values[FIELD_SPOTTED_AT].integer);
    assert_int_equal(read.values[FIELD_SYNCED_AT].state, VALUE_OMITTED);
    assert_int_equal(read.values[FIELD_ID].state, VALUE_OMITTED);
    buffer_free(&state);
    arena_free(&arena);
}

static void a_change_leaves_other_fields_unchanged(void **unused)
{
    (void)unused;
    struct arena arena = {0};
    struct buffer state = {0};
    struct qso empty = {0}, read = make_qso();
    state_write(&empty, STATE_CHANGE, &state);
    assert_true(state_read(text_of_buffer(&state), &arena, &read));
    assert_int_equal(read.values[FIELD_NOTES].state, VALUE_NULL);
    assert_int_equal(read.values[FIELD_QSL_SENT].state, VALUE_PRESENT);
    assert_int_equal(read.values[FIELD_QSL_SENT].integer, 0);
    assert_int_equal(read.values[FIELD_CLIENT_ID].state, VALUE_PRESENT);
    assert_int_equal(read.values[FIELD_SPOTTED_AT].state, VALUE_PRESENT);
    buffer_free(&state);
    arena_free(&arena);
}

/* Reads the state cut to every length, and with changed bytes. A sanitizer detects accesses outside
 * the state. */
static void a_damaged_state_is_read_safely(void **unused)
{
    (void)unused;
    struct buffer state = {0};
    const struct qso qso = make_qso();
    state_write(&qso, STATE_WHOLE, &state);
    for (size_t length = 0; length < state.length; length++) {
        struct arena arena = {0};
        struct qso read = {0};
        char *copy = malloc(length ? length : 1); /* a sanitizer detects reads after the end */
        memcpy(copy, state.bytes, length);
        state_read((struct text){copy, length}, &arena, &read);
        for (size_t i = 0; i < length; i++) {
            char *byte = &copy[i];
            *byte = (char)(*byte ^ (int)(length * 31 + i));
            state_read((struct text){copy, length}, &arena, &read);
        }
        free(copy);
        arena_free(&arena);
    }
    assert_false(state_read((struct text){"", 0}, &(struct arena){0}, &(struct qso){0}));
    assert_false(state_read((struct text){"\x07", 1}, &(struct arena){0}, &(struct qso){0}));
    buffer_free(&state);
}

static void the_marks_of_fields_differ(void **unused)
{
    (void)unused;
    assert_null(state_find_equal_marks());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_reads_back_as_written),
        cmocka_unit_test(a_change_leaves_other_fields_unchanged),
        cmocka_unit_test(a_damaged_state_is_read_safely),
        cmocka_unit_test(the_marks_of_fields_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
