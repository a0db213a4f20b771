/* Reads a line of another cluster. Everything in it is foreign: it is taken whole or not at
 * all, and what is no printable character of Windows-1252 becomes a question mark.
 *
 * Touches no clock and no database. */
#include "feed/received.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/datetime.h"

#define AHEAD_MS (10 * DATETIME_MINUTE_MS)
#define DAY_DIGITS 2
#define PLACE_MAX 4 /* JN58 */

/* -- Words ------------------------------------------------------------------------------------- */

static struct text skip(struct text text, size_t bytes)
{
    return (struct text){text.bytes + bytes, text.length - bytes};
}

static void trim(struct text *text)
{
    while (text->length > 0 && text->bytes[0] == ' ')
        *text = skip(*text, 1);
    while (text->length > 0 && text->bytes[text->length - 1] == ' ')
        text->length--;
}

/* Takes the first word from the text. */
static struct text take_word(struct text *text)
{
    trim(text);
    struct text word = {text->bytes, 0};
    while (word.length < text->length && text->bytes[word.length] != ' ')
        word.length++;
    *text = skip(*text, word.length);
    return word;
}

/* Takes the last word from the text. */
static struct text take_last_word(struct text *text)
{
    trim(text);
    size_t start = text->length;
    while (start > 0 && text->bytes[start - 1] != ' ')
        start--;
    struct text word = skip(*text, start);
    text->length = start;
    return word;
}

/* -- Values ------------------------------------------------------------------------------------ */

static size_t count_of(struct text text, int (*is_kind)(int), size_t at_most)
{
    size_t count = 0;
    while (count < text.length && count < at_most && is_kind((unsigned char)text.bytes[count]))
        count++;
    return count;
}

/* A slash, and at most seven letters and digits behind it; or nothing. */
static bool is_suffix(struct text text)
{
    if (text.length == 0)
        return true;
    size_t count = text.bytes[0] == '/' ? count_of(skip(text, 1), isalnum, 7) : 0;
    return count > 0 && count + 1 == text.length;
}

/* A division, letters, a unit: 26AT101, 14FDX897, 1AT/I460, 19DC373/P. */
static bool is_eleven_meter(struct text text)
{
    size_t division = count_of(text, isdigit, 3);
    if (division == 0 || text.bytes[0] == '0')
        return false;
    text = skip(text, division);
    size_t letters = count_of(text, isalpha, 3);
    if (letters == 0)
        return false;
    text = skip(text, letters);
    size_t unit = count_of(text, isdigit, 4);
    return (unit > 0 || text.length > 0) && is_suffix(skip(text, unit));
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

/* kHz, with at most three decimals. */
static bool read_frequency(struct text text, int64_t *hz)
{
    size_t whole = count_of(text, isdigit, 6);
    int64_t khz = 0, scale = 1000;
    if (!text_parse_integer((struct text){text.bytes, whole}, 0, 999999, &khz))
        return false;
    *hz = khz * 1000;
    text = skip(text, whole);
    if (text.length == 0 || text.bytes[0] != '.' || text.length > 4)
        return text.length == 0;
    for (size_t i = 1; i < text.length; i++) {
        if (!isdigit((unsigned char)text.bytes[i]))
            return false;
        scale /= 10;
        *hz += (text.bytes[i] - '0') * scale;
    }
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
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    size_t digits = count_of(text, isdigit, DAY_DIGITS);
    if (digits == 0 || text.length != digits + 9 || text.bytes[digits] != '-' ||
        text.bytes[digits + 4] != '-')
        return false;
    for (int month = 0; month < 12; month++) {
        if (strncmp(months + 3 * month, text.bytes + digits + 1, 3) != 0)
            continue;
        char iso[] = "0000-00-00T00:00Z";
        memcpy(iso, text.bytes + digits + 5, 4);
        iso[5] = (char)('0' + (month + 1) / 10);
        iso[6] = (char)('0' + (month + 1) % 10);
        memcpy(iso + 10 - digits, text.bytes, digits);
        return datetime_parse(text_of(iso), ms);
    }
    return false;
}

/* -- Windows-1252 ------------------------------------------------------------------------------ */

/* From 0x80 to 0x9F; 0: no character. */
static const uint16_t windows[] = {0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                   0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017D, 0,
                                   0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                   0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

static size_t put_character(unsigned code, char *out)
{
    size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
    if (length == 1)
        out[0] = (char)code;
    else if (length == 2)
        out[0] = (char)(0xC0 | code >> 6);
    else
        out[0] = (char)(0xE0 | code >> 12);
    for (size_t i = 1; i < length; i++)
        out[i] = (char)(0x80 | (code >> 6 * (length - 1 - i) & 0x3F));
    return length;
}

static void convert(struct text text, char out[NETWORK_COMMENT_BYTES + 1])
{
    size_t length = 0;
    for (size_t i = 0; i < text.length && i < NETWORK_COMMENT_MAX; i++) {
        unsigned code = (unsigned char)text.bytes[i];
        if (code >= 0x80 && code < 0xA0)
            code = windows[code - 0x80];
        if (code < ' ' || code == 0x7F || code == 0xAD)
            code = '?';
        length += put_character(code, out + length);
    }
    out[length] = '\0';
}

/* -- Lines ------------------------------------------------------------------------------------- */

static bool finish(struct text comment, int64_t now_ms, struct network_spot *out)
{
    trim(&comment);
    convert(comment, out->comment);
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
        !read_frequency(take_word(&line), &out->frequency_hz) ||
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
        !read_frequency(take_word(&line), &out->frequency_hz) ||
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
        return read_live(skip(line, sizeof live - 1), now_ms, out);
    return read_row(line, now_ms, out);
}
