/* The content of a spot, made of a QSO, and its lines in the form of a cluster node. Only what a
 * spot may publish is in it: locators, but no exact coordinates and no notes. When a spot is
 * published is left to the store. */
#include "qso/spot.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/datetime.h"
#include "qso/qso.h"
#include "qso/fields.h"
#include "qso/match.h"

static int64_t integer_or(const struct qso *qso, enum field_index field, int64_t otherwise)
{
    const struct value *value = &qso->values[field];
    return value->presence == VALUE_PRESENT ? value->integer : otherwise;
}

void spot_of_qso(const struct qso *qso, struct text member_callsign, int64_t spotted_at_ms,
                 struct spot *out)
{
    memset(out, 0, sizeof *out);
    out->qso_id = integer_or(qso, FIELD_ID, 0);
    out->spotted_at_ms = spotted_at_ms;
    out->spotter = match_station(qso, member_callsign);
    out->dx_callsign = qso_text(qso, FIELD_CALLSIGN_WORKED);
    out->band = (enum band)integer_or(qso, FIELD_BAND, BAND_ELEVEN_METERS);
    out->channel = integer_or(qso, FIELD_CHANNEL, 0);
    out->frequency_hz = out->channel ? channels_centre_hz(out->channel)
                                     : integer_or(qso, FIELD_FREQUENCY, 0) * 1000;
    out->ctcss_tone = qso_text(qso, FIELD_CTCSS_TONE);
    out->dcs_code = qso_text(qso, FIELD_DCS_CODE);
    out->mode = (int)integer_or(qso, FIELD_MODE, -1);
    out->my_locator = qso_text(qso, FIELD_MY_LOCATOR);
    out->dx_locator = qso_text(qso, FIELD_DX_LOCATOR);
}

const char *spot_mode_name(const struct spot *spot)
{
    return spot->mode < 0 ? NULL : fields[FIELD_MODE].choices[spot->mode];
}

bool spot_format_callsign(struct text text, char out[SPOT_CALLSIGN_MAX + 1])
{
    /* Clients such as CQRLOG answer these words wherever they find them. */
    static const char *const prompts[] = {"LOGIN", "PASSWORD"};
    struct match_callsign normal;
    bool has_letter = false, has_digit = false;
    if (!text.bytes)
        return false;
    match_normalise_callsign(text, &normal);
    if (normal.length < 3 || normal.length > SPOT_CALLSIGN_MAX)
        return false;
    for (size_t i = 0; i < normal.length; i++) {
        bool is_letter = normal.bytes[i] >= 'A' && normal.bytes[i] <= 'Z';
        bool is_digit = normal.bytes[i] >= '0' && normal.bytes[i] <= '9';
        if (!is_letter && !is_digit && normal.bytes[i] != '/')
            return false;
        has_letter |= is_letter;
        has_digit |= is_digit;
    }
    memcpy(out, normal.bytes, normal.length);
    out[normal.length] = '\0';
    for (size_t i = 0; i < sizeof prompts / sizeof *prompts; i++)
        if (strstr(out, prompts[i]))
            return false;
    return has_letter && has_digit;
}

/* printf would cost more than all else about a line, and each client of the feed has its own. */
static void append_word(char *out, size_t capacity, const char *word, size_t length)
{
    size_t end = strlen(out);
    if (length == 0 || end + 1 >= capacity)
        return;
    if (end > 0)
        out[end++] = ' ';
    if (length > capacity - 1 - end)
        length = capacity - 1 - end;
    memcpy(out + end, word, length);
    out[end + length] = '\0';
}

/* Tones, codes and locators are ASCII by their patterns, and have at most seven characters. */
static void append_text(char *out, size_t capacity, struct text text)
{
    append_word(out, capacity, text.bytes, text.length > 7 ? 7 : text.length);
}

void spot_format_comment(const struct spot *spot, char *out, size_t capacity)
{
    char channel[16];
    const char *mode = spot_mode_name(spot);
    out[0] = '\0';
    if (mode)
        append_word(out, capacity, mode, strlen(mode));
    if (spot->channel) {
        int length = snprintf(channel, sizeof channel, "PMR ch %d", (int)spot->channel);
        append_word(out, capacity, channel, (size_t)length);
        append_text(out, capacity, spot->ctcss_tone.bytes ? spot->ctcss_tone : spot->dcs_code);
    }
    append_text(out, capacity, spot->dx_locator);
}

/* What both kinds of lines show. */
struct line_parts {
    char spotter[SPOT_CALLSIGN_MAX + 1];
    char dx_callsign[SPOT_CALLSIGN_MAX + 1];
    char comment[SPOT_COMMENT_MAX + 1];
    char khz[24];
    char time[8]; /* hhmmZ */
};

/* With one decimal; a half goes to the even one. */
static void format_khz(int64_t hz, char out[24])
{
    char reversed[24];
    size_t length = 0;
    int64_t tenths = hz / 100 + (hz % 100 > 50 || (hz % 100 == 50 && hz / 100 % 2 == 1));
    do {
        reversed[length++] = (char)('0' + tenths % 10);
        if (length == 1)
            reversed[length++] = '.';
        tenths /= 10;
    } while (tenths > 0 || length < 3);
    for (size_t i = 0; i < length; i++)
        out[i] = reversed[length - 1 - i];
    out[length] = '\0';
}

static void format_time(int64_t at_ms, char out[8])
{
    int minute_of_day = (int)(at_ms / DATETIME_MINUTE_MS % 1440);
    int hour = minute_of_day / 60, minute = minute_of_day % 60;
    const int digits[] = {hour / 10, hour % 10, minute / 10, minute % 10};
    for (size_t i = 0; i < 4; i++)
        out[i] = (char)('0' + digits[i]);
    out[4] = 'Z';
    out[5] = '\0';
}

static bool make_parts(const struct spot *spot, struct line_parts *parts)
{
    if (spot->frequency_hz <= 0 || !spot_format_callsign(spot->spotter, parts->spotter) ||
        !spot_format_callsign(spot->dx_callsign, parts->dx_callsign))
        return false;
    spot_format_comment(spot, parts->comment, sizeof parts->comment);
    format_khz(spot->frequency_hz, parts->khz);
    format_time(spot->spotted_at_ms, parts->time);
    return true;
}

/* Writes the text so that it begins in `column` (from 0), or after one blank if the text before
 * it reaches further. Returns where it ends. */
static size_t write_at(char *line, size_t end, size_t column, const char *text)
{
    size_t start = end + 1 > column ? end + 1 : column, length = strlen(text);
    memcpy(line + start, text, length);
    return start + length;
}

bool spot_format_line(const struct spot *spot, char out[SPOT_LINE_LENGTH + 1])
{
    struct line_parts parts;
    if (!make_parts(spot, &parts))
        return false;
    memset(out, ' ', SPOT_LINE_LENGTH);
    out[SPOT_LINE_LENGTH] = '\0';
    memcpy(out, "DX de", 5);
    size_t end = write_at(out, 5, 6, parts.spotter);
    out[end++] = ':';
    end = write_at(out, end, 24 - strlen(parts.khz), parts.khz);
    end = write_at(out, end, 26, parts.dx_callsign);
    size_t comment = end + 1 > 39 ? end + 1 : 39, left = 69 - comment;
    memcpy(out + comment, parts.comment, strnlen(parts.comment, left));
    memcpy(out + 70, parts.time, 5);
    return true;
}

bool spot_format_row(const struct spot *spot, char out[SPOT_ROW_LENGTH + 1])
{
    static const char months[][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    struct line_parts parts;
    struct tm day;
    time_t seconds = (time_t)(spot->spotted_at_ms / 1000);
    if (!make_parts(spot, &parts) || !gmtime_r(&seconds, &day))
        return false;
    int length = snprintf(out, SPOT_ROW_LENGTH + 1, "%9s %-11s %2d-%s-%04d %s ", parts.khz,
                          parts.dx_callsign, day.tm_mday, months[day.tm_mon], day.tm_year + 1900,
                          parts.time);
    int space = SPOT_ROW_LENGTH - length - (int)strlen(parts.spotter) - 3;
    snprintf(out + length, SPOT_ROW_LENGTH + 1 - (size_t)length, "%-*.*s <%s>", space, space,
             parts.comment, parts.spotter);
    return true;
}
