/* The forms of values in the logs of programs and people. */
#include "transfer/sheet_values.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/text_utf8.h"
#include "qso/divisions.h"
#include "transfer/sheet_words.h"

#define CHANNEL_MAX 80 /* a greater number is not a channel */
#define CALLSIGN_LETTERS_MIN 3
#define CALLSIGN_LETTERS_MAX 20
#define POWER_DIGITS_MAX 4

#define WORD "^(CH|CHAN|CHANNEL|K|KAN|KANAL|KANAAL|KANA\xC5[\x81\x82]|C|CANAL|CANALE|CB|#)?[.: ]*"

static void copy_upper(struct text text, char *out, size_t size)
{
    if (text.length >= size)
        text.length = size - 1;
    text_to_upper(text, out);
    out[text.length] = '\0';
}

/* Reads a number with a decimal point or comma. "27.555.00" has its decimals after the first point,
 * and "1.234,5" after the last mark. Blanks and apostrophes between digits do not count. */
static bool read_number(struct text text, double *number)
{
    char digits[SHEET_VALUE_MAX + 2];
    size_t length = 0, decimal = 0;
    const bool is_mixed =
        memchr(text.bytes, '.', text.length) && memchr(text.bytes, ',', text.length);
    bool has_decimal = false, follows_digit = false;
    for (size_t i = 0; i < text.length; i++)
        if (text.bytes[i] == '.' || text.bytes[i] == ',') {
            if (!follows_digit)
                return false;
            if (is_mixed || !has_decimal)
                decimal = length;
            has_decimal = true;
            follows_digit = false;
        } else if (isdigit((unsigned char)text.bytes[i])) {
            digits[length++] = text.bytes[i];
            follows_digit = true;
        }
    if (has_decimal) {
        memmove(digits + decimal + 1, digits + decimal, length - decimal);
        digits[decimal] = '.';
        length++;
    }
    digits[length] = '\0';
    *number = strtod(digits, NULL);
    return follows_digit;
}

bool sheet_read_tuning(struct text cell, struct sheet_tuning *out)
{
    static struct sheet_pattern tuning = {.expression =
                                              WORD "(([0-9.,' ]|\xE2\x80\x99)*[0-9]) *(MHZ|KHZ|HZ)?"
                                                   " *(USB|LSB|SSB|AM|FM|CW)?$",
                                          .ignores_case = true};
    struct sheet_match match;
    double number;
    *out = (struct sheet_tuning){0};
    if (!sheet_matches(&tuning, cell, &match) || !read_number(match.parts[2], &number))
        return false;
    const struct text word = match.parts[1], digits = match.parts[2], unit = match.parts[4];
    const bool is_whole = text_count_leading(digits, isdigit) == digits.length;
    copy_upper(match.parts[5], out->mode, sizeof out->mode);
    if (word.length > 0) {
        out->channel = is_whole && number <= CHANNEL_MAX ? (int)number : 0;
        out->has_channel = true;
        return is_whole && number <= CHANNEL_MAX;
    }
    double divisor = number >= 1e6 ? 1e6 : number >= 1000 ? 1000 : 1;
    if (unit.length > 0)
        divisor = text_equals_ignoring_case(unit, "HZ")    ? 1e6
                  : text_equals_ignoring_case(unit, "KHZ") ? 1000
                                                           : 1;
    out->mhz = number / divisor;
    out->is_bare = unit.length == 0 && is_whole && number > 0 && number <= CHANNEL_MAX;
    out->is_band = text_equals_ignoring_case(unit, "MHZ") && is_whole;
    return true;
}

bool sheet_read_channel(struct text cell, struct sheet_channel *out)
{
    static struct sheet_pattern channel = {
        .expression = WORD "([0-9]{1,3})([A-Z])?( *[-/ ] *([^ ]+))?$", .ignores_case = true};
    struct sheet_match match;
    *out = (struct sheet_channel){0};
    if (!sheet_matches(&channel, cell, &match))
        return false;
    out->number = sheet_number_of(match.parts[2]);
    if (out->number < 1)
        return false;
    const struct text after = match.parts[5];
    char letter[2];
    copy_upper(match.parts[3], letter, sizeof letter);
    format_cut(out->name, sizeof out->name, "%d%s", out->number, letter);
    if (sheet_is_mode(after))
        copy_upper(after, out->mode, sizeof out->mode);
    else
        copy_upper(after, out->tone, sizeof out->tone);
    return true;
}

bool sheet_is_locator(struct text cell)
{
    static struct sheet_pattern locator = {.expression = "^[A-R]{2}[0-9]{2}([A-X]{2}([0-9]{2})?)?$",
                                           .ignores_case = true};
    struct sheet_match match;
    return sheet_matches(&locator, cell, &match);
}

bool sheet_is_report(struct text cell)
{
    static struct sheet_pattern report = {
        .expression = "^(R?[1-5] ?[-/ ]? ?S?[0-9]{1,2}A?\\+*( ?\\+?[0-9]{1,2} ?DB)?|[-+][0-9]{1,2})"
                      "( [A-Z0-9_]{1,5})?$",
        .ignores_case = true};
    struct sheet_match match;
    return sheet_matches(&report, cell, &match);
}

bool sheet_is_mode(struct text cell)
{
    static struct sheet_pattern mode = {
        .expression = "^(FM|NFM|FM-N|AM|SSB|USB|LSB|CW|DIGI[A-Z0-9_]*|DATA|FT8|FT4|FT2|JS8|RTTY|"
                      "PSK[0-9]*|SSTV|VARA[A-Z0-9_]*|MFSK|OLIVIA[A-Z0-9_]*|FONIA|PHONE)$",
        .ignores_case = true};
    struct sheet_match match;
    return sheet_matches(&mode, cell, &match);
}

bool sheet_is_band(struct text cell)
{
    static struct sheet_pattern band = {
        .expression = "^([0-9]{1,4}([.,][0-9]+)? ?(cm|m|mm|meters?|metres?|MHz)|CB|PMR ?446?|"
                      "ELEVEN_METERS)$",
        .ignores_case = true};
    struct sheet_match match;
    return sheet_matches(&band, cell, &match);
}

/* Returns the length of the letter at the beginning of the text, or 0. Characters that begin with
 * C2 or E2 are seldom letters. */
static size_t letter_length(struct text text)
{
    const unsigned char byte = (unsigned char)text.bytes[0];
    if (byte < 0x80)
        return isalpha(byte) ? 1 : 0;
    return byte == 0xC2 || byte == 0xE2 ? 0 : text_first_length(text);
}

bool sheet_is_callsign(struct text cell)
{
    size_t characters = 0;
    bool has_letter = false, has_digit = false, is_separated = true;
    cell = text_trim(cell);
    if (cell.length < CALLSIGN_LETTERS_MIN || cell.length > 4 * CALLSIGN_LETTERS_MAX ||
        sheet_is_locator(cell) || sheet_is_mode(cell) || sheet_is_band(cell))
        return false;
    while (cell.length > 0) {
        const size_t letter = letter_length(cell);
        const bool is_digit = isdigit((unsigned char)cell.bytes[0]);
        if (letter == 0 && !is_digit && (is_separated || !strchr("/ -", cell.bytes[0])))
            return false;
        is_separated = letter == 0 && !is_digit;
        has_letter = has_letter || letter > 0;
        has_digit = has_digit || is_digit;
        cell = text_skip(cell, letter > 0 ? letter : 1);
        characters++;
    }
    return has_letter && has_digit && !is_separated && characters >= CALLSIGN_LETTERS_MIN &&
           characters <= CALLSIGN_LETTERS_MAX;
}

bool sheet_is_number_call(struct text cell)
{
    static struct sheet_pattern number = {
        .expression = "^[0-9]+([.,][0-9]+)?E[-+]?[0-9]+$|^[1-9][0-9]{0,2}0{5,}$",
        .ignores_case = true};
    struct sheet_match match;
    return sheet_matches(&number, cell, &match);
}

bool sheet_is_number_in_call(struct text cell)
{
    static struct sheet_pattern number = {.expression = "^[1-9][0-9]{0,2}0+$"};
    struct sheet_match match;
    return sheet_is_number_call(cell) || sheet_matches(&number, cell, &match);
}

void sheet_find_calls(struct text cell, struct sheet_calls *out)
{
    static struct sheet_pattern number = {.expression = "^([0-9]+)([.,]([0-9]+))?(E\\+?([0-9]+))?$",
                                          .ignores_case = true};
    char digits[SHEET_VALUE_MAX + SHEET_CALLS_MAX + 1];
    struct sheet_match match;
    out->count = 0;
    if (!sheet_matches(&number, cell, &match) || match.parts[5].length > POWER_DIGITS_MAX)
        return;
    const struct text whole = match.parts[1], decimals = match.parts[3];
    size_t length = whole.length + decimals.length, begin = 0;
    memcpy(digits, whole.bytes, whole.length);
    memcpy(digits + whole.length, decimals.bytes, decimals.length);
    int power = sheet_number_of(match.parts[5]) - (int)decimals.length;
    for (; length > 0 && digits[length - 1] == '0'; length--)
        power++;
    while (begin < length && digits[begin] == '0')
        begin++;
    if (begin == length)
        return;
    for (; length - begin <= 3 && power >= 0; power--) {
        char *call = out->calls[out->count];
        format_cut(call, sizeof out->calls[0], "%.*sE%d", (int)(length - begin), digits + begin,
                   power);
        out->count += divisions_number(text_of(call)) != DIVISIONS_NONE;
        digits[length++] = '0';
    }
}

bool sheet_is_written_call(struct text cell)
{
    struct sheet_calls found;
    sheet_find_calls(cell, &found);
    for (size_t i = 0; i < found.count; i++)
        if (text_equals_ignoring_case(text_trim(cell), found.calls[i]))
            return true;
    return false;
}

enum sheet_yes sheet_read_yes(struct text cell)
{
    static const char yes[] =
        "y yes j ja s si sim o oui t tak x \u2713 \u2714 1 true v \u0434\u0430 "
        "ano ok";
    static const char no[] = "n no nein non nie nao ne 0 false \u043d\u0435\u0442 nee";
    char folded[SHEET_FOLDED_SIZE];
    sheet_fold(text_trim(cell), folded);
    const struct text text = text_of(folded);
    if (text.length == 0 || text_is_one_of(text, no))
        return YES_NO;
    if (text_is_one_of(text, yes))
        return YES_YES;
    if (text_is_one_of(text, "d direct direkt mail post"))
        return YES_DIRECT;
    return text_is_one_of(text, "b buro bureau buero") ? YES_BUREAU : YES_UNKNOWN;
}

bool sheet_is_pmr(struct text band)
{
    char folded[SHEET_FOLDED_SIZE];
    sheet_fold(band, folded);
    return strncmp(folded, "pmr", 3) == 0 || strncmp(folded, "446", 3) == 0;
}
