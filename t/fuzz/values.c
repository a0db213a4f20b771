/* Any bytes as a date-time, a cursor, a locator, a UUID, a key, a percent-encoded text: what is
 * accepted is written and read again. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/api_key.h"
#include "base/datetime.h"
#include "base/locator.h"
#include "base/text.h"
#include "base/uuid.h"
#include "qso/cursor.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(int truth)
{
    if (!truth)
        abort();
}

static void try_datetime(struct text text)
{
    char again[DATETIME_TEXT_LENGTH];
    int64_t ms, same;
    if (!datetime_parse(text, &ms))
        return;
    demand(ms >= DATETIME_MINIMUM_MS && ms <= DATETIME_MAXIMUM_MS);
    datetime_format(ms, again);
    demand(datetime_parse((struct text){again, sizeof again}, &same) && same == ms);
}

static void try_cursor(struct text text)
{
    char again[CURSOR_LENGTH];
    int64_t time, id;
    if (!cursor_read(text, &time, &id))
        return;
    cursor_write(time, id, again);
    demand(memcmp(again, text.bytes, sizeof again) == 0);
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
    if (text_read_integer(text, -5, 500, &number))
        demand(number >= -5 && number <= 500);
    free(decoded);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text text = {(const char *)data, size};
    unsigned char uuid[UUID_BYTES];
    char locator[LOCATOR_LENGTH_MAX];
    try_datetime(text);
    try_cursor(text);
    try_text(text);
    locator_normalise(text, locator);
    uuid_read(text, uuid);
    if (api_key_is_well_formed(text))
        demand(text.length == API_KEY_LENGTH);
    return 0;
}
