/* Tests points in time: valid texts, their meaning, and their written form. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/datetime.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define DAY_MS INT64_C(86400000)

/* Parses a copy of the exact size, for the address sanitizer. */
static bool parse(const char *bytes, size_t length, int64_t *ms)
{
    char *copy = malloc(length + (length == 0));
    assert_non_null(copy);
    memcpy(copy, bytes, length);
    bool is_accepted = datetime_parse((struct text){copy, length}, ms);
    free(copy);
    return is_accepted;
}

static void assert_refused(const char *bytes, size_t length)
{
    int64_t ms = 42;
    if (parse(bytes, length, &ms))
        fail_msg("%.*s was accepted", (int)length, bytes);
    assert_int_equal(ms, 42);
}

static void date_times_with_a_zone_are_parsed(void **state)
{
    static const struct {
        const char *text;
        int64_t ms;
    } cases[] = {
        {"2024-02-29T12:34:56.789Z", INT64_C(1709210096789)},
        {"1970-01-01T00:00Z", INT64_C(0)},
        {"1970-01-01T00:00:00Z", INT64_C(0)},
        {"1969-12-31T23:59:59.999Z", INT64_C(-1)},
        {"2024-06-15t10:00:00z", INT64_C(1718445600000)},
        {"2024-06-15T10:00:00.1Z", INT64_C(1718445600100)},
        {"2024-06-15T10:00:00.12Z", INT64_C(1718445600120)},
        {"2024-06-15T10:00:00.1239Z", INT64_C(1718445600123)},
        {"2024-06-15T10:00:00.9999999999999999999999Z", INT64_C(1718445600999)},
        {"2024-06-15T10:00:00.0009Z", INT64_C(1718445600000)},
        {"2016-12-31T23:59:60Z", INT64_C(1483228799999)},
        {"2016-12-31T23:59:60.000Z", INT64_C(1483228799999)},
        {"2016-12-31T23:59:60.5Z", INT64_C(1483228799999)},
        {"2024-06-15T12:00:00+02:00", INT64_C(1718445600000)},
        {"2024-06-15T12:00:00+0200", INT64_C(1718445600000)},
        {"2024-06-15T12:00:00+02", INT64_C(1718445600000)},
        {"2024-06-15T12:00-03:30", INT64_C(1718465400000)},
        {"2024-06-15T12:00:00.250-0330", INT64_C(1718465400250)},
        {"2024-06-15T12:00:00-03", INT64_C(1718463600000)},
        {"2024-06-15T12:00:00-00:00", INT64_C(1718452800000)},
        {"2024-06-15T12:00:00+23:59", INT64_C(1718366460000)},
        {"2024-06-15T12:00:00-23:59", INT64_C(1718539140000)},
        {"2000-02-29T00:00Z", INT64_C(951782400000)},
        {"0001-01-01T00:00Z", INT64_C(-62135596800000)},
        {"9999-12-31T23:59:59.999Z", INT64_C(253402300799999)},
        {"0001-01-01T23:59:00+23:59", INT64_C(-62135596800000)},
        {"0004-02-29T00:00Z", INT64_C(-62035891200000)},
        {"9999-12-31T00:00:00-23:59", INT64_C(253402300740000)},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        int64_t ms = -1;
        if (!parse(cases[i].text, strlen(cases[i].text), &ms) || ms != cases[i].ms)
            fail_msg("%s was read as %lld", cases[i].text, (long long)ms);
    }
}

static void other_texts_are_not_date_times(void **state)
{
    static const char *const cases[] = {
        "",
        "Z",
        "2024",
        "2024-06-15",
        "2024-06-15Z",
        "2024-06-15T",
        "2024-06-15TZ",
        "2024-06-15T10Z",
        "2024-06-15T10:Z",
        "2024-06-15T10:0Z",
        "2024-06-15T10:00",        /* no zone */
        "2024-06-15T10:00:00",     /* no zone */
        "2024-06-15T10:00:00.000", /* no zone */
        "2024-06-15 10:00:00Z",
        "2024-06-15T10:00:Z",
        "2024-06-15T10:00:0Z",
        "2024-06-15T10:00:000Z",
        "2024-06-15T10:00:00.Z",
        "2024-06-15T10:00:00,5Z",
        "2024-06-15T10:00:00.5.5Z",
        "2024-06-15T10:00.5Z",
        "2024-06-15T1000Z",
        "2024-06-15T10:00:00ZZ",
        "2024-06-15T10:00:00Z ",
        " 2024-06-15T10:00:00Z",
        "2024-06-15T10:00:00 Z",
        "2024-06-15T10:00:00Z+02:00",
        "2024-06-15T10:00:00+",
        "2024-06-15T10:00:00+2",
        "2024-06-15T10:00:00+2:00",
        "2024-06-15T10:00:00+02:",
        "2024-06-15T10:00:00+02:0",
        "2024-06-15T10:00:00+020",
        "2024-06-15T10:00:00+02000",
        "2024-06-15T10:00:00+02:000",
        "2024-06-15T10:00:00+02:00Z",
        "2024-06-15T10:00:00+-2:00",
        "2024-06-15T10:00:00-+2:00",
        "2024-06-15T10:00:00+24:00",
        "2024-06-15T10:00:00-24:00",
        "2024-06-15T10:00:00+00:60",
        "2024-06-15T10:00:00 02:00", /* a plus that became a space is corrected elsewhere */
        "2024-06-15T10:00:00CET",
        "2024-06-15T24:00:00Z",
        "2024-06-15T10:60:00Z",
        "2024-06-15T10:00:61Z",
        "2024-06-15T-1:00:00Z",
        "2024-00-15T10:00:00Z",
        "2024-13-15T10:00:00Z",
        "2024-06-00T10:00:00Z",
        "2024-06-31T10:00:00Z",
        "2024-01-32T10:00:00Z",
        "2023-02-29T10:00:00Z",
        "2024-02-30T10:00:00Z",
        "1900-02-29T10:00:00Z",
        "2100-02-29T10:00:00Z",
        "0000-06-15T10:00:00Z",
        "10000-01-01T00:00:00Z",
        "+2024-06-15T10:00:00Z",
        "-2024-06-15T10:00:00Z",
        "24-06-15T10:00:00Z",
        "2024-6-15T10:00:00Z",
        "2024-06-5T10:00:00Z",
        "20240615T100000Z",
        "2024-W24-6T10:00:00Z",
        "2024-167T10:00:00Z",
        "2024/06/15T10:00:00Z",
        "1718445600000",
        "0001-01-01T00:00:00+00:01", /* the year before 0001 in UTC */
        "0001-01-01T23:58:59.999+23:59",
        "9999-12-31T23:59:59-00:01", /* the year after 9999 in UTC */
        "9999-12-31T00:01:00-23:59",
        "\xd9\xa2\xd9\xa0\xd9\xa2\xd9\xa4-06-15T10:00:00Z",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_refused(cases[i], strlen(cases[i]));
    assert_refused("2024-06-15T10:00:00Z", strlen("2024-06-15T10:00:00Z") + 1);
    assert_refused("2024-06-15T10:00\0:00Z", 21);
}

static void an_incomplete_date_time_is_refused(void **state)
{
    static const char whole[] = "2024-06-15T10:00:00.000+02:00";
    (void)state;
    for (size_t length = 0; length < strlen(whole); length++) {
        int64_t ms;
        /* Only +02 is valid as a shortened zone. */
        assert_int_equal(parse(whole, length, &ms), length == strlen("2024-06-15T10:00:00.000+02"));
    }
}

static void a_day_is_parsed_as_its_beginning(void **state)
{
    static const char *const refused[] = {"",           "2026-11-2",  "2026-11-270",
                                          "2026-02-30", "27-11-2026", "2026-11-27T"};
    int64_t ms = 7;
    (void)state;
    assert_false(datetime_parse_day((struct text){0}, &ms));
    for (size_t i = 0; i < COUNT(refused); i++)
        assert_false(datetime_parse_day(text_of(refused[i]), &ms));
    assert_int_equal(ms, 7);
    assert_true(datetime_parse_day(text_of("2024-02-29"), &ms));
    assert_int_equal(ms, INT64_C(1709164800000));
}

static void assert_round_trip(int64_t ms, const char *expected)
{
    char text[DATETIME_TEXT_LENGTH + 1];
    int64_t parsed = -1;
    text[DATETIME_TEXT_LENGTH] = '#';
    datetime_format(ms, text);
    assert_int_equal(text[DATETIME_TEXT_LENGTH], '#');
    text[DATETIME_TEXT_LENGTH] = '\0';
    if (expected != NULL)
        assert_string_equal(text, expected);
    if (!datetime_parse(text_of(text), &parsed) || parsed != ms)
        fail_msg("%lld was written as %s", (long long)ms, text);
}

static void points_in_time_are_written_in_utc(void **state)
{
    (void)state;
    assert_round_trip(0, "1970-01-01T00:00:00.000Z");
    assert_round_trip(-1, "1969-12-31T23:59:59.999Z");
    assert_round_trip(DATETIME_MINIMUM_MS, "0001-01-01T00:00:00.000Z");
    assert_round_trip(DATETIME_MAXIMUM_MS, "9999-12-31T23:59:59.999Z");
    assert_round_trip(INT64_C(951782399999), "2000-02-28T23:59:59.999Z");
    assert_round_trip(INT64_C(951782400000), "2000-02-29T00:00:00.000Z");
    assert_round_trip(INT64_C(951868800000), "2000-03-01T00:00:00.000Z");
    assert_round_trip(INT64_C(1709210096789), "2024-02-29T12:34:56.789Z");
}

/* Walks through the calendar day by day, independently of the arithmetic. The calendar repeats
 * itself after 400 years. Every day of such a period is tested, and in other years the first and
 * last day of each month. */
static void the_days_of_9999_years_read_back_as_written(void **state)
{
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int64_t ms = DATETIME_MINIMUM_MS;
    (void)state;
    for (int year = 1; year <= 9999; year++) {
        bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        for (int month = 1; month <= 12; month++) {
            int length = month == 2 && is_leap ? 29 : lengths[month - 1];
            for (int day = 1; day <= length; day++, ms += DAY_MS) {
                char text[DATETIME_TEXT_LENGTH];
                int64_t parsed = -1;
                if ((year < 1801 || year > 2200) && day > 1 && day < length)
                    continue;
                datetime_format(ms + day * 1000 + month, text);
                const char expected[10] = {
                    (char)('0' + year / 1000),
                    (char)('0' + year / 100 % 10),
                    (char)('0' + year / 10 % 10),
                    (char)('0' + year % 10),
                    '-',
                    (char)('0' + month / 10),
                    (char)('0' + month % 10),
                    '-',
                    (char)('0' + day / 10),
                    (char)('0' + day % 10),
                };
                if (memcmp(text, expected, sizeof expected) != 0 ||
                    !datetime_parse((struct text){text, sizeof text}, &parsed) ||
                    parsed != ms + day * 1000 + month)
                    fail_msg("%.10s was written as %.24s", expected, text);
            }
        }
    }
    assert_int_equal(ms, DATETIME_MAXIMUM_MS + 1);
}

static void every_second_of_a_day_agrees_with_the_c_library(void **state)
{
    (void)state;
    for (int64_t second = 0; second < 86400; second++) {
        char expected[DATETIME_TEXT_LENGTH + 1];
        time_t clock = (time_t)(INT64_C(1718409600) + second);
        struct tm utc;
        assert_non_null(gmtime_r(&clock, &utc));
        assert_int_equal(strftime(expected, sizeof expected, "%Y-%m-%dT%H:%M:%S.007Z", &utc), 24);
        assert_round_trip(clock * INT64_C(1000) + 7, expected);
    }
}

static void months_are_counted_from_the_year_0(void **state)
{
    (void)state;
    for (int months = 12; months < 12 * 10000; months++) {
        char text[32];
        int64_t first_ms;
        snprintf(text, sizeof text, "%04d-%02d-01T00:00Z", months / 12, months % 12 + 1);
        assert_true(datetime_parse(text_of(text), &first_ms));
        if (datetime_count_months(first_ms) != months)
            fail_msg("%s", text);
        if (first_ms > DATETIME_MINIMUM_MS && datetime_count_months(first_ms - 1) != months - 1)
            fail_msg("the last millisecond before %s", text);
    }
    assert_int_equal(datetime_count_months(DATETIME_MAXIMUM_MS), 9999 * 12 + 11);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(months_are_counted_from_the_year_0),
        cmocka_unit_test(date_times_with_a_zone_are_parsed),
        cmocka_unit_test(other_texts_are_not_date_times),
        cmocka_unit_test(an_incomplete_date_time_is_refused),
        cmocka_unit_test(a_day_is_parsed_as_its_beginning),
        cmocka_unit_test(points_in_time_are_written_in_utc),
        cmocka_unit_test(the_days_of_9999_years_read_back_as_written),
        cmocka_unit_test(every_second_of_a_day_agrees_with_the_c_library),
    };
    return cmocka_run_group_tests_name("datetime", tests, NULL, NULL);
}
