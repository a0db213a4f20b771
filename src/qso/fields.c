/* The field table.
 *
 * Its rows stand in schema/fields.json; here are the patterns of those that have one. How a value
 * is checked is left to values.c. */
#include "qso/fields.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

/* ^\d{2,3}\.\d$ */
static bool matches_ctcss_tone(struct text text)
{
    if (text.length < 4 || text.length > 5 || text.bytes[text.length - 2] != '.')
        return false;
    for (size_t i = 0; i < text.length; i++)
        if (i != text.length - 2 && !isdigit((unsigned char)text.bytes[i]))
            return false;
    return true;
}

/* ^D?[0-7]{3}[NI]?$ */
static bool matches_dcs_code(struct text text)
{
    if (text.length > 0 && text.bytes[0] == 'D') {
        text.bytes++;
        text.length--;
    }
    if (text.length == 4 && (text.bytes[3] == 'N' || text.bytes[3] == 'I'))
        text.length--;
    if (text.length != 3)
        return false;
    for (size_t i = 0; i < text.length; i++)
        if (text.bytes[i] < '0' || text.bytes[i] > '7')
            return false;
    return true;
}

const struct field fields[FIELD_COUNT] = {
#include "schema/field_rows.inc"
};

int fields_find_sent(struct text name)
{
    for (int i = 0; i < FIELD_COUNT; i++)
        if (!(fields[i].flags & FIELD_READ_ONLY) && name.length + 3u == fields[i].json_key_length &&
            memcmp(name.bytes, fields[i].name, name.length) == 0)
            return i;
    return -1;
}

#define ROW(name, code, permanent) const struct rejection rejection_##name = {code, permanent};
#include "schema/rejections.inc"
#undef ROW

const struct rejection *const rejections[] = {
#define ROW(name, code, permanent) &rejection_##name,
#include "schema/rejections.inc"
    NULL,
};
