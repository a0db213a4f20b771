/* Formats and parses the cursor of GET /logs: (synced_at, id) and 32 bits of a hash of both, in
 * hexadecimal digits. The hash detects cursors that were cut or mistyped. A cursor need not be
 * secret, because only the key decides which QSOs can be read. */
#include "qso/cursor.h"

#include <endian.h>
#include <string.h>

#include "base/text_hash.h"
#include "base/text_hex.h"

#define NUMBER_DIGITS 32 /* digits of both numbers together */

void cursor_format(int64_t synced_at_ms, int64_t id, char *out)
{
    const uint64_t numbers[] = {htobe64((uint64_t)synced_at_ms), htobe64((uint64_t)id)};
    text_format_hex(numbers, sizeof numbers, out);
    const uint32_t check = htobe32((uint32_t)text_hash(TEXT_HASH_START, out, NUMBER_DIGITS));
    text_format_hex(&check, sizeof check, out + NUMBER_DIGITS);
}

bool cursor_parse(struct text text, int64_t *synced_at_ms, int64_t *id)
{
    uint64_t numbers[2];
    char again[CURSOR_LENGTH];
    if (text.length != CURSOR_LENGTH ||
        !text_parse_hex((struct text){text.bytes, NUMBER_DIGITS}, numbers))
        return false;
    cursor_format((int64_t)be64toh(numbers[0]), (int64_t)be64toh(numbers[1]), again);
    if (memcmp(again, text.bytes, CURSOR_LENGTH) != 0)
        return false;
    *synced_at_ms = (int64_t)be64toh(numbers[0]);
    *id = (int64_t)be64toh(numbers[1]);
    return true;
}
