/* Creates a spot from a QSO, and writes the spot's lines in a cluster node's format. A spot
 * contains only values that may be published: locators, but no exact coordinates and no notes. The
 * store decides when a spot is published. */
#include "qso/spot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/datetime.h"
#include "base/format.h"
#include "qso/qso.h"
#include "qso/fields.h"
#include "qso/match.h"

void spot_of_qso(const struct qso *qso, struct text member_callsign, int64_t spotted_at_ms,
                 struct spot *out)
{
    memset(out, 0, sizeof *out);
    out->qso_id = qso_integer_or(qso, FIELD_ID, 0);
    out->spotted_at_ms = spotted_at_ms;
    out->spotter = match_station(qso, member_callsign);
    out->dx_callsign = qso_text(qso, FIELD_CALLSIGN_WORKED);
    out->band = (enum band)qso_integer_or(qso, FIELD_BAND, BAND_ELEVEN_METERS);
    out->channel = qso_integer_or(qso, FIELD_CHANNEL, 0);
    out->frequency_hz = out->channel ? channels_centre_hz(out->channel)
                                     : qso_integer_or(qso, FIELD_FREQUENCY, 0) * 1000;
    out->ctcss_tone = qso_text(qso, FIELD_CTCSS_TONE);
    out->dcs_code = qso_text(qso, FIELD_DCS_CODE);
    out->mode = (int)qso_integer_or(qso, FIELD_MODE, -1);
    out->my_locator = qso_text(qso, FIELD_MY_LOCATOR);
    out->dx_locator = qso_text(qso, FIELD_DX_LOCATOR);
}

const char *spot_mode_name(const struct spot *spot)
{
    return spot->mode < 0 ? NULL : fields[FIELD_MODE].choices[spot->mode];
}

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

/* Rejects words of a login dialogue, which clients such as CQRLOG answer wherever these words
 * appear. */
bool spot_format_callsign(struct text text, char out[SPOT_CALLSIGN_MAX + 1])
{
    struct match_callsign normal;
    match_normalise_callsign(text, &normal);
    if (normal.length < 3 || normal.length > SPOT_CALLSIGN_MAX)
        return false;
    memcpy(out, normal.bytes, normal.length);
    out[normal.length] = '\0';
    return strspn(out, LETTERS DIGITS "/") == normal.length && strpbrk(out, LETTERS) &&
           strpbrk(out, DIGITS) && !strstr(out, "LOGIN") && !strstr(out, "PASSWORD");
}

bool spot_read_khz(struct text text, int64_t *hz)
{
    char copy[16], *end;
    if (text.length == 0 || text.length >= sizeof copy)
        return false;
    memcpy(copy, text.bytes, text.length);
    copy[text.length] = '\0';
    double khz = strtod(copy, &end);
    if (copy[strspn(copy, DIGITS ".")] || *end || khz < 1 || khz > 1e6)
        return false;
    *hz = (int64_t)(khz * 1000 + 0.5);
    return true;
}

void spot_format_comment(const struct spot *spot, char *out, size_t capacity)
{
    char channel[16] = "";
    struct text tone = spot->ctcss_tone.bytes ? spot->ctcss_tone : spot->dcs_code;
    if (spot->channel)
        format_cut(channel, sizeof channel, "PMR ch %d", (int)spot->channel);
    const struct text words[] = {text_of(spot_mode_name(spot)), text_of(channel),
                                 spot->channel ? tone : (struct text){0}, spot->dx_locator};
    size_t length = 0;
    out[0] = '\0';
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].length > 0 && length + 1 < capacity)
            length += format_cut(out + length, capacity - length, "%s%.*s", length ? " " : "",
                                 (int)words[i].length, words[i].bytes);
}

/* The values that both kinds of lines contain. */
struct line_parts {
    char spotter[SPOT_CALLSIGN_MAX + 1];
    char dx_callsign[SPOT_CALLSIGN_MAX + 1];
    char comment[SPOT_COMMENT_MAX + 1];
    char khz[24];
    char time[8]; /* in the format hhmmZ */
};

static bool make_parts(const struct spot *spot, struct line_parts *parts)
{
    if (spot->frequency_hz <= 0 || !spot_format_callsign(spot->spotter, parts->spotter) ||
        !spot_format_callsign(spot->dx_callsign, parts->dx_callsign))
        return false;
    spot_format_comment(spot, parts->comment, sizeof parts->comment);
    unsigned minutes = (unsigned)(spot->spotted_at_ms / DATETIME_MINUTE_MS);
    format_cut(parts->khz, sizeof parts->khz, "%.1f", (double)spot->frequency_hz / 1000);
    format_cut(parts->time, sizeof parts->time, "%02u%02uZ", minutes / 60 % 24, minutes % 60);
    return true;
}

/* Returns the number of spaces up to the column (counted from 0), at least one. */
static int blanks_to(int column, int end)
{
    return column > end ? column - end : 1;
}

/* Appends a text to the line at the offset `end`, and returns the new end. */
__attribute__((format(printf, 3, 4))) static int append(char out[SPOT_LINE_LENGTH + 1], int end,
                                                        const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    end += (int)format_cut_list(out + end, SPOT_LINE_LENGTH + 1 - (size_t)end, format, arguments);
    va_end(arguments);
    return end;
}

bool spot_format_line(const struct spot *spot, char out[SPOT_LINE_LENGTH + 1])
{
    struct line_parts parts;
    if (!make_parts(spot, &parts))
        return false;
    int end = append(out, 0, "DX de %s:", parts.spotter);
    end = append(out, end, "%*s%s", blanks_to(24 - (int)strlen(parts.khz), end), "", parts.khz);
    end = append(out, end, "%*s%s", blanks_to(26, end), "", parts.dx_callsign);
    end = append(out, end, "%*s", blanks_to(39, end), "");
    append(out, end, "%-*.*s %s", 69 - end, 69 - end, parts.comment, parts.time);
    return true;
}

bool spot_format_row(const struct spot *spot, char out[SPOT_ROW_LENGTH + 1])
{
    struct line_parts parts;
    struct tm date;
    char day[sizeof "31-Dec-9999"];
    time_t seconds = (time_t)(spot->spotted_at_ms / 1000);
    if (!make_parts(spot, &parts) || !gmtime_r(&seconds, &date) ||
        !strftime(day, sizeof day, "%e-%b-%Y", &date))
        return false;
    const int length = (int)format_cut(out, SPOT_ROW_LENGTH + 1, "%9s %-11s %s %s ", parts.khz,
                                       parts.dx_callsign, day, parts.time);
    int space = SPOT_ROW_LENGTH - length - (int)strlen(parts.spotter) - 3;
    format_cut(out + length, SPOT_ROW_LENGTH + 1 - (size_t)length, "%-*.*s <%s>", space, space,
               parts.comment, parts.spotter);
    return true;
}
