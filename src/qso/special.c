/* Recognises special stations by the groups' rules for activations. The rules of the radio group
 * Alfa Tango, which most groups follow, specify the suffixes 0, DX, IOTA and SES. Each such
 * callsign is separate, and does not belong to one member. On PMR446, no group issues callsigns. A
 * PMR446 callsign in the format of an 11 m callsign is interpreted in the same way; any other
 * callsign is only a name. */
#include "qso/special.h"

#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "qso/divisions.h"

#define ISLAND_DIGITS_MAX 3

static int is_zero(int byte)
{
    return byte == '0';
}

static bool is_all_zeros(struct text text)
{
    return text.length > 0 && text_count_leading(text, is_zero) == text.length;
}

/* Returns whether the text is an island reference: a continent and a number, such as EU011. */
static bool is_island(struct text text)
{
    struct text number = text_skip(text, text.length < 2 ? text.length : 2);
    return number.length > 0 && number.length <= ISLAND_DIGITS_MAX &&
           text_count_leading(number, isdigit) == number.length &&
           text_is_one_of((struct text){text.bytes, 2}, "AF AN AS EU NA OC SA");
}

/* Returns whether the suffix shows only how or from where a station operates. The suffix can also
 * be a whole callsign: 14FR/26AT1 is a member of 26AT in division 14. */
static bool is_of_moving(struct text suffix)
{
    return isdigit(suffix.length > 0 ? (unsigned char)suffix.bytes[0] : '0') ||
           text_is_one_of(suffix, "P M MM AM A QRP");
}

/* Finds the unit number after the group's letters. Returns false if the callsign has another
 * format. */
static bool read_station(struct text part, struct text *unit)
{
    struct text rest = text_skip(part, text_count_leading(part, isdigit));
    size_t letters = text_count_leading(rest, isupper);
    *unit = text_skip(rest, letters);
    return letters > 0 && text_count_leading(*unit, isdigit) == unit->length;
}

bool special_is(const struct match_callsign *callsign)
{
    struct text rest = match_text(callsign), unit;
    const bool has_suffix = rest.length > 0 && memchr(rest.bytes, '/', rest.length);
    if (!has_suffix && (rest.length == 0 || rest.bytes[rest.length - 1] != '0'))
        return false; /* the case for most callsigns, so checked first */
    if (divisions_number(rest) == DIVISIONS_NONE)
        return false;
    struct text station = text_split_next(&rest, '/');
    if (text_count_leading(station, isdigit) == station.length)
        station =
            text_split_next(&rest, '/'); /* skips the number of the division visited: 161/21SD333 */
    if (!read_station(station, &unit))
        return false;
    bool special = is_all_zeros(unit);
    while (!special && rest.bytes) {
        struct text suffix = text_split_next(&rest, '/');
        special = is_all_zeros(suffix) || text_is_one_of(suffix, "DX DXP EXP SES IOTA") ||
                  is_island(suffix) ||
                  (unit.length == 0 && text_count_leading(suffix, isalnum) == suffix.length &&
                   !is_of_moving(suffix));
    }
    return special;
}
