/* Reads a division's number at the beginning of a callsign, in any spelling, and checks whether a
 * callsign follows. The divisions themselves are in schema/divisions.tsv. award_names.c decides for
 * which items a callsign counts. */
#include "qso/divisions.h"

#include <ctype.h>

#define DIGITS_MAX 3 /* maximum number of digits in a division's number */

static const struct division table[DIVISIONS_END] = {
#include "schema/division_rows.inc"
};

static bool is_separator(char byte)
{
    return byte == ' ' || byte == '-' || byte == '.';
}

static bool has_letter(struct text text)
{
    for (size_t i = 0; i < text.length; i++)
        if (isalpha((unsigned char)text.bytes[i]))
            return true;
    return false;
}

/* The app has the same rule (numberOf in src/web/shared/words/callsigns.js). */
int divisions_number(struct text callsign)
{
    int number = 0, digits = 0;
    size_t i = 0;
    for (; i < callsign.length && digits <= DIGITS_MAX; i++) {
        char byte = callsign.bytes[i];
        if (is_separator(byte))
            continue;
        if (byte < '0' || byte > '9')
            break;
        number = number * 10 + byte - '0';
        digits++;
    }
    if (digits == 0 || digits > DIGITS_MAX || i == callsign.length || !divisions_at(number))
        return DIVISIONS_NONE;
    struct text rest = {callsign.bytes + i + 1, callsign.length - i - 1};
    bool begins =
        isalpha((unsigned char)callsign.bytes[i]) || (callsign.bytes[i] == '/' && has_letter(rest));
    return begins ? number : DIVISIONS_NONE;
}

int divisions_read_number(struct text text)
{
    int64_t number;
    bool is_number =
        text.length <= DIGITS_MAX && text_parse_integer(text, 0, DIVISIONS_END - 1, &number);
    return is_number && divisions_at((int)number) ? (int)number : DIVISIONS_NONE;
}

const struct division *divisions_at(int number)
{
    return number >= 0 && number < DIVISIONS_END && table[number].name ? &table[number] : NULL;
}

const struct division *divisions_find(struct text callsign)
{
    return divisions_at(divisions_number(callsign));
}
