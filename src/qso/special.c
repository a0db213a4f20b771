/* The forms follow the groups' own rules for activations: those of the radio group Alfa Tango,
 * which most groups follow, name the suffixes 0, DX, IOTA and SES and give each of them a callsign
 * of its own instead of a member's unit. PMR446 knows no group that gives callsigns out: what is
 * written there as on 11 m is read as there, and all else is a name. */
#include "qso/special.h"

#include <string.h>

#include "qso/divisions.h"

#define ISLAND_DIGITS_MAX 3

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static bool is_letter(char byte)
{
    return byte >= 'A' && byte <= 'Z';
}

/* The bytes at the beginning that are of this kind. */
static size_t count_leading(struct text text, bool (*is_kind)(char byte))
{
    size_t count = 0;
    while (count < text.length && is_kind(text.bytes[count]))
        count++;
    return count;
}

static struct text text_after(struct text text, size_t count)
{
    return (struct text){text.bytes + count, text.length - count};
}

static bool is_all_zeros(struct text text)
{
    size_t zeros = 0;
    while (zeros < text.length && text.bytes[zeros] == '0')
        zeros++;
    return zeros > 0 && zeros == text.length;
}

/* What is before the next slash; *rest is what follows it, no text at the end. */
static struct text take_part(struct text *rest)
{
    const char *slash = memchr(rest->bytes, '/', rest->length);
    struct text part = {rest->bytes, slash ? (size_t)(slash - rest->bytes) : rest->length};
    *rest = slash ? text_after(*rest, part.length + 1) : (struct text){0};
    return part;
}

static bool is_one_of(struct text text, const char *const *words)
{
    while (*words && !text_equals(text, text_of(*words)))
        words++;
    return *words != NULL;
}

/* EU011: a continent and a number. */
static bool is_island(struct text text)
{
    static const char *const continents[] = {"AF", "AN", "AS", "EU", "NA", "OC", "SA", NULL};
    struct text number = text_after(text, text.length < 2 ? text.length : 2);
    return number.length > 0 && number.length <= ISLAND_DIGITS_MAX &&
           count_leading(number, is_digit) == number.length &&
           is_one_of((struct text){text.bytes, 2}, continents);
}

static bool is_activation(struct text suffix)
{
    static const char *const words[] = {"DX", "DXP", "EXP", "SES", "IOTA", NULL};
    return is_all_zeros(suffix) || is_one_of(suffix, words) || is_island(suffix);
}

/* A suffix of letters and digits. */
static bool is_word(struct text suffix)
{
    for (size_t i = 0; i < suffix.length; i++)
        if (!is_letter(suffix.bytes[i]) && !is_digit(suffix.bytes[i]))
            return false;
    return true;
}

/* Also a whole callsign: 14FR/26AT1 is a member of 26AT in division 14. */
static bool is_of_moving(struct text suffix)
{
    static const char *const words[] = {"P", "M", "MM", "AM", "A", "QRP", "", NULL};
    return is_digit(suffix.length > 0 ? suffix.bytes[0] : '0') || is_one_of(suffix, words);
}

/* The group's letters, and the unit behind them; false: it has another form. */
static bool read_station(struct text part, struct text *unit)
{
    struct text rest = text_after(part, count_leading(part, is_digit));
    size_t letters = count_leading(rest, is_letter);
    *unit = text_after(rest, letters);
    return letters > 0 && count_leading(*unit, is_digit) == unit->length;
}

bool special_is(const struct match_callsign *callsign)
{
    struct text rest = {callsign->bytes, callsign->length}, unit;
    if (divisions_number(rest) == DIVISIONS_NONE)
        return false;
    struct text station = take_part(&rest);
    if (count_leading(station, is_digit) == station.length)
        station = take_part(&rest); /* 161/21SD333 */
    if (!read_station(station, &unit))
        return false;
    bool special = is_all_zeros(unit);
    while (!special && rest.bytes) {
        struct text suffix = take_part(&rest);
        special =
            is_activation(suffix) || (unit.length == 0 && is_word(suffix) && !is_of_moving(suffix));
    }
    return special;
}
