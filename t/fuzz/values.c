/* Reads any bytes as a date-time, a cursor, a locator, a UUID, a key, or percent-encoded text.
 * Accepted values are written and read again. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/api_key.h"
#include "base/datetime.h"
#include "base/text.h"
#include "base/text_hex.h"
#include "base/text_utf8.h"
#include "base/uuid.h"
#include "demand.h"
#include "qso/cursor.h"
#include "qso/locator.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Requires the format 2026-05-17T19:42, followed by any text and a zone at the end. */
static void demand_datetime_form(struct text text)
{
    static const char form[] = "0000-00-00T00:00";
    demand(text.length > sizeof form - 1);
    for (size_t i = 0; i < sizeof form - 1; i++)
        if (form[i] == '0')
            demand(text.bytes[i] >= '0' && text.bytes[i] <= '9');
        else
            demand(text.bytes[i] == form[i] || (form[i] == 'T' && text.bytes[i] == 't'));
    demand(memchr("Zz", text.bytes[text.length - 1], 2) ||
           memchr(text.bytes + sizeof form - 1, '+', text.length - sizeof form + 1) ||
           memchr(text.bytes + sizeof form - 1, '-', text.length - sizeof form + 1));
    demand(memcmp(text.bytes + 5, "12", 2) <= 0 && memcmp(text.bytes + 8, "31", 2) <= 0);
    demand(memcmp(text.bytes + 11, "23", 2) <= 0 && memcmp(text.bytes + 14, "59", 2) <= 0);
}

static void try_datetime(struct text text)
{
    char again[DATETIME_TEXT_LENGTH];
    int64_t ms, same;
    if (!datetime_parse(text, &ms))
        return;
    demand_datetime_form(text);
    demand(ms >= DATETIME_MINIMUM_MS && ms <= DATETIME_MAXIMUM_MS);
    datetime_format(ms, again);
    demand(datetime_parse((struct text){again, sizeof again}, &same) && same == ms);
}

static void try_cursor(struct text text)
{
    char again[CURSOR_LENGTH];
    int64_t numbers[2] = {0}, time, id;
    memcpy(numbers, text.bytes, text.length < sizeof numbers ? text.length : sizeof numbers);
    cursor_format(numbers[0], numbers[1], again);
    demand(cursor_parse((struct text){again, sizeof again}, &time, &id));
    demand(time == numbers[0] && id == numbers[1]);
    if (!cursor_parse(text, &time, &id))
        return;
    cursor_format(time, id, again);
    demand(memcmp(again, text.bytes, sizeof again) == 0);
}

static bool is_between(char character, char first, char last)
{
    return character >= first && character <= last;
}

static void try_locator(struct text text)
{
    char normal[LOCATOR_LENGTH_MAX], again[LOCATOR_LENGTH_MAX];
    if (!locator_normalise(text, normal))
        return;
    demand(text.length == 4 || text.length == 6);
    demand(is_between(normal[0], 'A', 'R') && is_between(normal[1], 'A', 'R'));
    demand(is_between(normal[2], '0', '9') && is_between(normal[3], '0', '9'));
    if (text.length == 6)
        demand(is_between(normal[4], 'a', 'x') && is_between(normal[5], 'a', 'x'));
    demand(locator_normalise((struct text){normal, text.length}, again));
    demand(memcmp(normal, again, text.length) == 0);
}

static void try_uuid(struct text text)
{
    unsigned char uuid[UUID_BYTES], same[UUID_BYTES];
    char again[UUID_TEXT_LENGTH + 1];
    if (!uuid_parse_text(text, uuid))
        return;
    demand(text.length == UUID_TEXT_LENGTH);
    uuid_format_text(uuid, again);
    for (size_t i = 0; i < UUID_TEXT_LENGTH; i++)
        demand(again[i] == text.bytes[i] || again[i] == (text.bytes[i] | 0x20));
    demand(uuid_parse_text(text_of(again), same));
    demand(memcmp(uuid, same, sizeof uuid) == 0);
}

/* Requires that a key has the format that the manual gives to secret scanners. */
static void try_key(struct text text)
{
    if (!api_key_is(API_KEY_KEY, text))
        return;
    demand(text.length == API_KEY_LENGTH && memcmp(text.bytes, "qsosync_", 8) == 0);
    for (size_t i = 8; i < text.length; i++)
        demand(is_between(text.bytes[i], '0', '9') || is_between(text.bytes[i], 'A', 'Z') ||
               is_between(text.bytes[i], 'a', 'z'));
}

static void try_text(struct text text)
{
    char *decoded = malloc(text.length + 1);
    size_t length;
    int64_t number;
    if (text_percent_decode(text, decoded, &length))
        demand(length <= text.length);
    if (text_is_utf8(text.bytes, text.length))
        demand(text_count_code_points(text_trim(text)) <= text_count_code_points(text));
    if (text_parse_integer(text, -5, 500, &number))
        demand(number >= -5 && number <= 500);
    free(decoded);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text text = {(const char *)data, size};
    try_datetime(text);
    try_cursor(text);
    try_locator(text);
    try_uuid(text);
    try_key(text);
    try_text(text);
    return 0;
}
