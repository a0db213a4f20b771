/* Makes and reads the cursor of GET /logs: (synced_at, id) and 32 bits of hash over both, in
 * hexadecimal digits. The hash finds cursors that were cut or mistyped; it keeps nothing secret,
 * since a cursor opens nothing that its key does not. */
#include "qso/cursor.h"

#include <string.h>

static void write_hex(uint64_t value, size_t digits, char *out)
{
    while (digits-- > 0) {
        out[digits] = "0123456789abcdef"[value & 15];
        value >>= 4;
    }
}

static bool read_hex(const char *digits, size_t count, uint64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < count; i++) {
        const char *found = digits[i] ? strchr("0123456789abcdef", digits[i]) : NULL;
        if (!found)
            return false;
        *value = *value << 4 | (uint64_t)(found - "0123456789abcdef");
    }
    return true;
}

#define NUMBER_DIGITS 16
#define CHECK_DIGITS 8
#define CHECK_MASK UINT64_C(0xffffffff)

static uint64_t check_of(const char *digits)
{
    return text_hash(TEXT_HASH_START, digits, CURSOR_LENGTH - CHECK_DIGITS) & CHECK_MASK;
}

void cursor_format(int64_t synced_at_ms, int64_t id, char *out)
{
    write_hex((uint64_t)synced_at_ms, NUMBER_DIGITS, out);
    write_hex((uint64_t)id, NUMBER_DIGITS, out + NUMBER_DIGITS);
    write_hex(check_of(out), CHECK_DIGITS, out + CURSOR_LENGTH - CHECK_DIGITS);
}

bool cursor_parse(struct text text, int64_t *synced_at_ms, int64_t *id)
{
    uint64_t time, number, check;
    if (text.length != CURSOR_LENGTH || !read_hex(text.bytes, NUMBER_DIGITS, &time) ||
        !read_hex(text.bytes + NUMBER_DIGITS, NUMBER_DIGITS, &number) ||
        !read_hex(text.bytes + CURSOR_LENGTH - CHECK_DIGITS, CHECK_DIGITS, &check) ||
        check != check_of(text.bytes))
        return false;
    *synced_at_ms = (int64_t)time;
    *id = (int64_t)number;
    return true;
}
