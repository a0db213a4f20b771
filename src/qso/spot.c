/* The content of a spot, and its lines in the form of a cluster node. */
#include "qso/spot.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/datetime.h"
#include "qso/fields.h"
#include "qso/match.h"

#define CHANNEL_1_HZ INT64_C(446006250)
#define CHANNEL_STEP_HZ INT64_C(12500)

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
    out->frequency_hz = out->channel ? CHANNEL_1_HZ + (out->channel - 1) * CHANNEL_STEP_HZ
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

static void append_word(char *out, size_t capacity, const char *word)
{
    size_t length = strlen(out);
    if (*word)
        snprintf(out + length, capacity - length, "%s%s", length ? " " : "", word);
}

/* Tones, codes and locators are ASCII by their patterns. */
static void append_text(char *out, size_t capacity, struct text text)
{
    char word[8];
    snprintf(word, sizeof word, "%.*s", (int)text.length, text.bytes ? text.bytes : "");
    append_word(out, capacity, word);
}

void spot_format_comment(const struct spot *spot, char *out, size_t capacity)
{
    char channel[16];
    out[0] = '\0';
    if (spot_mode_name(spot))
        append_word(out, capacity, spot_mode_name(spot));
    if (spot->channel) {
        snprintf(channel, sizeof channel, "PMR ch %d", (int)spot->channel);
        append_word(out, capacity, channel);
        append_text(out, capacity, spot->ctcss_tone.bytes ? spot->ctcss_tone : spot->dcs_code);
    }
    append_text(out, capacity, spot->dx_locator);
}

/* What both kinds of lines show. */
struct line_parts {
    char spotter[SPOT_CALLSIGN_MAX + 1];
    char dx_callsign[SPOT_CALLSIGN_MAX + 1];
    char comment[SPOT_COMMENT_MAX + 1];
    double khz;
    unsigned hour, minute;
};

static bool make_parts(const struct spot *spot, struct line_parts *parts)
{
    if (spot->frequency_hz == 0 || !spot_format_callsign(spot->spotter, parts->spotter) ||
        !spot_format_callsign(spot->dx_callsign, parts->dx_callsign))
        return false;
    spot_format_comment(spot, parts->comment, sizeof parts->comment);
    unsigned minute_of_day = (unsigned)(spot->spotted_at_ms / DATETIME_MINUTE_MS % 1440);
    parts->khz = (double)spot->frequency_hz / 1000.0;
    parts->hour = minute_of_day / 60;
    parts->minute = minute_of_day % 60;
    return true;
}

/* Writes the text so that it begins in `column` (from 0), or after one blank where the text before
 * it reaches further. Returns where it ends. */
static size_t place(char *line, size_t end, size_t column, const char *text)
{
    size_t start = end + 1 > column ? end + 1 : column, length = strlen(text);
    memcpy(line + start, text, length);
    return start + length;
}

bool spot_format_line(const struct spot *spot, char out[SPOT_LINE_LENGTH + 1])
{
    struct line_parts parts;
    char khz[24], spotter[SPOT_CALLSIGN_MAX + 8], time[8];
    if (!make_parts(spot, &parts))
        return false;
    snprintf(khz, sizeof khz, "%.1f", parts.khz);
    snprintf(spotter, sizeof spotter, "DX de %s:", parts.spotter);
    snprintf(time, sizeof time, "%02u%02uZ", parts.hour, parts.minute);
    memset(out, ' ', SPOT_LINE_LENGTH);
    out[SPOT_LINE_LENGTH] = '\0';
    memcpy(out, spotter, strlen(spotter));
    size_t end = place(out, strlen(spotter), 24 - strlen(khz), khz);
    end = place(out, end, 26, parts.dx_callsign);
    size_t comment = end + 1 > 39 ? end + 1 : 39, left = 69 - comment;
    memcpy(out + comment, parts.comment, strnlen(parts.comment, left));
    memcpy(out + 70, time, 5);
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
    int length = snprintf(out, SPOT_ROW_LENGTH + 1, "%9.1f %-11s %2d-%s-%04d %02u%02uZ ", parts.khz,
                          parts.dx_callsign, day.tm_mday, months[day.tm_mon], day.tm_year + 1900,
                          parts.hour, parts.minute);
    int space = SPOT_ROW_LENGTH - length - (int)strlen(parts.spotter) - 3;
    snprintf(out + length, SPOT_ROW_LENGTH + 1 - (size_t)length, "%-*.*s <%s>", space, space,
             parts.comment, parts.spotter);
    return true;
}
