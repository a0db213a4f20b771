/* Reads a line of another cluster. Everything in it is foreign: it is taken whole or not at
 * all, and what is no printable character of Windows-1252 becomes a question mark.
 *
 * Touches no clock and no database. */
#include "feed/received.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/datetime.h"

#define AHEAD_MS (10 * DATETIME_MINUTE_MS)
#define PLACE_MAX 4 /* JN58 */

/* -- Words ------------------------------------------------------------------------------------- */

/* Takes the first word from the text. */
static struct text take_word(struct text *text)
{
    *text = text_trim(*text);
    return text_take_part(text, ' ');
}

/* Takes the last word from the text. */
static struct text take_last_word(struct text *text)
{
    *text = text_trim(*text);
    const char *blank = text->length > 0 ? memrchr(text->bytes, ' ', text->length) : NULL;
    if (!blank)
        return text_take_part(text, ' ');
    struct text word = text_skip(*text, (size_t)(blank + 1 - text->bytes));
    text->length -= word.length;
    return word;
}

/* -- Values ------------------------------------------------------------------------------------ */

/* A slash, and at most seven letters and digits behind it; or nothing. */
static bool is_suffix(struct text text)
{
    if (text.length == 0)
        return true;
    size_t count = text.bytes[0] == '/' ? text_count_leading(text_skip(text, 1), isalnum) : 0;
    return count > 0 && count <= 7 && count + 1 == text.length;
}

/* A division, letters, a unit: 26AT101, 14FDX897, 1AT/I460, 19DC373/P. */
static bool is_eleven_meter(struct text text)
{
    size_t division = text_count_leading(text, isdigit);
    if (division == 0 || division > 3 || text.bytes[0] == '0')
        return false;
    text = text_skip(text, division);
    size_t letters = text_count_leading(text, isalpha);
    if (letters == 0 || letters > 3)
        return false;
    text = text_skip(text, letters);
    size_t unit = text_count_leading(text, isdigit);
    return unit <= 4 && (unit > 0 || text.length > 0) && is_suffix(text_skip(text, unit));
}

/* Without the SSID of a spotter. */
static bool take_callsign(struct text text, char out[NETWORK_CALLSIGN_MAX + 1])
{
    const char *dash = text.length > 0 ? memchr(text.bytes, '-', text.length) : NULL;
    if (dash && text.bytes + text.length - dash > 3)
        return false;
    if (dash)
        text.length = (size_t)(dash - text.bytes);
    if (text.length > NETWORK_CALLSIGN_MAX || !is_eleven_meter(text))
        return false;
    text_to_upper(text, out);
    out[text.length] = '\0';
    return true;
}

static bool is_ours(int64_t hz)
{
    return (hz >= 26000000 && hz <= 28000000) || (hz >= 446000000 && hz <= 446200000);
}

/* hhmmZ as minutes of the day. */
static bool read_minute(struct text text, int64_t *minute)
{
    int64_t hour = 0, rest = 0;
    if (text.length != 5 || text.bytes[4] != 'Z' ||
        !text_parse_integer((struct text){text.bytes, 2}, 0, 23, &hour) ||
        !text_parse_integer((struct text){text.bytes + 2, 2}, 0, 59, &rest))
        return false;
    *minute = hour * 60 + rest;
    return true;
}

/* 4-Oct-2026, as its first millisecond. */
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

/* -- Windows-1252 ------------------------------------------------------------------------------ */

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

/* -- Lines ------------------------------------------------------------------------------------- */

static bool finish(struct text comment, int64_t now_ms, struct network_spot *out)
{
    convert(text_trim(comment), out->comment);
    return is_ours(out->frequency_hz) && out->spotted_at_ms <= now_ms + AHEAD_MS &&
           out->spotted_at_ms > now_ms - DATETIME_DAY_MS;
}

/* The time at the end of a line; DXSpider may put the spotter's square, zone or state behind it. */
static bool take_minute(struct text *line, int64_t *minute)
{
    struct text word = take_last_word(line);
    return read_minute(word, minute) ||
           (word.length <= PLACE_MAX && read_minute(take_last_word(line), minute));
}

/* The time has no day: it is the last one that is not ahead. */
static bool read_live(struct text line, int64_t now_ms, struct network_spot *out)
{
    int64_t minute = 0, today_ms = now_ms - now_ms % DATETIME_DAY_MS;
    struct text spotter = take_word(&line);
    if (spotter.length == 0 || spotter.bytes[spotter.length - 1] != ':')
        return false;
    spotter.length--;
    if (!take_callsign(spotter, out->spotter) ||
        !spot_read_khz(take_word(&line), &out->frequency_hz) ||
        !take_callsign(take_word(&line), out->callsign) || !take_minute(&line, &minute))
        return false;
    out->spotted_at_ms = today_ms + minute * DATETIME_MINUTE_MS;
    if (out->spotted_at_ms > now_ms + AHEAD_MS)
        out->spotted_at_ms -= DATETIME_DAY_MS;
    return finish(line, now_ms, out);
}

static bool read_row(struct text line, int64_t now_ms, struct network_spot *out)
{
    int64_t minute = 0;
    struct text spotter = take_last_word(&line);
    if (spotter.length < 3 || spotter.bytes[0] != '<' || spotter.bytes[spotter.length - 1] != '>')
        return false;
    spotter = (struct text){spotter.bytes + 1, spotter.length - 2};
    if (!take_callsign(spotter, out->spotter) ||
        !spot_read_khz(take_word(&line), &out->frequency_hz) ||
        !take_callsign(take_word(&line), out->callsign) ||
        !read_day(take_word(&line), &out->spotted_at_ms) || !read_minute(take_word(&line), &minute))
        return false;
    out->spotted_at_ms += minute * DATETIME_MINUTE_MS;
    return finish(line, now_ms, out);
}

bool received_read(struct text line, int64_t now_ms, struct network_spot *out)
{
    static const char live[] = "DX de ";
    if (line.length > sizeof live && memcmp(line.bytes, live, sizeof live - 1) == 0)
        return read_live(text_skip(line, sizeof live - 1), now_ms, out);
    return read_row(line, now_ms, out);
}
