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

/* The table of rejection codes: a code stands here and nowhere else.
 *
 * Only rows; the field table and validation decide which of them a value gets. */

const struct rejection rejection_client_id_invalid = {"CLIENT_ID_INVALID", true};
const struct rejection rejection_datetime_invalid = {"DATETIME_INVALID", true};
const struct rejection rejection_locator_invalid = {"LOCATOR_INVALID", true};
const struct rejection rejection_frequency_format_invalid = {"FREQUENCY_FORMAT_INVALID", true};
const struct rejection rejection_frequency_out_of_band_11m = {"FREQUENCY_OUT_OF_BAND_11M", true};
const struct rejection rejection_channel_out_of_range = {"CHANNEL_OUT_OF_RANGE", true};
const struct rejection rejection_ctcss_format_invalid = {"CTCSS_FORMAT_INVALID", true};
const struct rejection rejection_dcs_format_invalid = {"DCS_FORMAT_INVALID", true};
const struct rejection rejection_client_id_conflict = {"CLIENT_ID_CONFLICT", true};
const struct rejection rejection_conflict = {"CONFLICT", false};
const struct rejection rejection_internal = {"GENERIC.INTERNAL_ERROR", false};

/* New rows come last: rejections are counted by their position here (store/logbook.c). */
const struct rejection *const rejections[] = {
    &rejection_client_id_invalid,
    &rejection_datetime_invalid,
    &rejection_locator_invalid,
    &rejection_frequency_format_invalid,
    &rejection_frequency_out_of_band_11m,
    &rejection_channel_out_of_range,
    &rejection_ctcss_format_invalid,
    &rejection_dcs_format_invalid,
    &rejection_client_id_conflict,
    &rejection_conflict,
    &rejection_internal,
    NULL,
};
