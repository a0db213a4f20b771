/* Parses spot lines from other clusters. The content is untrusted: a line is accepted or rejected
 * as a whole. In a comment, a byte that is not a printable character in Windows-1252 becomes a
 * question mark.
 *
 * This file uses neither the clock nor the database. */
#include "feed/received.h"

#include <regex.h>
#include <string.h>
#include <time.h>

#include "base/datetime.h"
#include "base/text_utf8.h"

#define AHEAD_MS (10 * DATETIME_MINUTE_MS)

/* A callsign has a division, letters, and a number, a suffix or both: 26AT101, 14FDX897, 1AT/I460,
 * 19DC373/P. A spotter can also have an SSID. */
#define SUFFIX "/[0-9A-Za-z]{1,7}"
#define CALLSIGN "([1-9][0-9]{0,2}[A-Za-z]{1,3}([0-9]{1,4}(" SUFFIX ")?|" SUFFIX "))(-[^ ]{0,2})?"
#define MINUTE "([01][0-9]|2[0-3])([0-5][0-9])Z"
#define WORD "([^ ]+)"

/* DXSpider can append the spotter's square, zone or state to the time. */
#define LIVE "^DX de +" CALLSIGN ": +" WORD " +" CALLSIGN "( .*)? +" MINUTE "( +[^ ]{1,4})? *$"
#define ROW "^ *" WORD " +" CALLSIGN " +" WORD " +" MINUTE "( .*)? +<" CALLSIGN "> *$"
#define PARTS 16

/* A format of lines, with the numbers of the groups in the pattern that contain the parts. */
struct form {
    const char *pattern;
    int spotter, khz, callsign, comment, minute,
        day; /* 0: lines have no day, so the day of arrival counts */
    regex_t compiled;
};

static bool match(struct form *form, struct text line, struct text parts[PARTS])
{
    regmatch_t found[PARTS] = {{0, (regoff_t)line.length}};
    if ((form->compiled.re_nsub == 0 &&
         regcomp(&form->compiled, form->pattern, REG_EXTENDED) != 0) ||
        regexec(&form->compiled, line.bytes, PARTS, found, REG_STARTEND) != 0)
        return false;
    for (int i = 0; i < PARTS; i++)
        if (found[i].rm_so < 0)
            parts[i] = (struct text){0};
        else
            parts[i] = (struct text){line.bytes + found[i].rm_so,
                                     (size_t)(found[i].rm_eo - found[i].rm_so)};
    return true;
}

static void copy_callsign(struct text text, char out[NETWORK_CALLSIGN_MAX + 1])
{
    text_to_upper(text, out);
    out[text.length] = '\0';
}

/* Parses a date such as 4-Oct-2026. Sets *ms to the first millisecond of that day. */
static bool read_day(struct text text, int64_t *ms)
{
    char copy[sizeof "31-Dec-9999"];
    struct tm date = {0};
    if (text.length >= sizeof copy)
        return false;
    memcpy(copy, text.bytes, text.length);
    copy[text.length] = '\0';
    const char *end = strptime(copy, "%d-%b-%Y", &date);
    *ms = (int64_t)timegm(&date) * 1000;
    return end && *end == '\0';
}

/* Converts a comment from Windows-1252 to UTF-8. */
static void convert(struct text text, char out[NETWORK_COMMENT_BYTES + 1])
{
    size_t length = 0;
    for (size_t i = 0; i < text.length && i < NETWORK_COMMENT_MAX; i++) {
        unsigned code = text_from_windows_1252((unsigned char)text.bytes[i]);
        if (code < ' ' || code == 0x7F || code == 0xAD)
            code = '?';
        length += text_put_code_point(code, out + length);
    }
    out[length] = '\0';
}

/* Parses a line. If the line has no day, the spot's day is the latest day on which the time is at
 * most AHEAD_MS in the future. */
bool received_read(struct text line, int64_t now_ms, struct network_spot *out)
{
    static struct form live = {LIVE,          .spotter = 1,  .khz = 5,
                               .callsign = 6, .comment = 10, .minute = 11},
                       row = {ROW,         .khz = 1,     .callsign = 2, .day = 6,
                              .minute = 7, .comment = 9, .spotter = 10};
    struct text parts[PARTS];
    const struct form *form = match(&live, line, parts)  ? &live
                              : match(&row, line, parts) ? &row
                                                         : NULL;
    int64_t *hz = &out->frequency_hz;
    if (!form || !spot_read_khz(parts[form->khz], hz) || *hz < 26000000 || *hz > 446200000 ||
        (*hz > 28000000 && *hz < 446000000))
        return false;
    int64_t day_ms = now_ms - now_ms % DATETIME_DAY_MS, hour = 0, minute = 0;
    if (form->day && !read_day(parts[form->day], &day_ms))
        return false;
    text_parse_integer(parts[form->minute], 0, 23, &hour);
    text_parse_integer(parts[form->minute + 1], 0, 59, &minute);
    out->spotted_at_ms = day_ms + (hour * 60 + minute) * DATETIME_MINUTE_MS;
    if (!form->day && out->spotted_at_ms > now_ms + AHEAD_MS)
        out->spotted_at_ms -= DATETIME_DAY_MS;
    copy_callsign(parts[form->spotter], out->spotter);
    copy_callsign(parts[form->callsign], out->callsign);
    convert(text_trim(parts[form->comment]), out->comment);
    return out->spotted_at_ms <= now_ms + AHEAD_MS && out->spotted_at_ms > now_ms - DATETIME_DAY_MS;
}
