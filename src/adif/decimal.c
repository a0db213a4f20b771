/* Decimal numbers of ADIF: read, rounded and written. A number is read digit by digit and kept as
 * an integer: the band of a frequency is decided before it is rounded, and binary fractions would
 * put some frequencies on the wrong side of a limit. Which number a field may hold is decided by
 * the rows of mapping.c. */
#include "adif/decimal.h"

#define PLACES 9
#define INTEGER_DIGITS_MAX 9

static int64_t power_of_ten(int exponent)
{
    int64_t power = 1;
    while (exponent-- > 0)
        power *= 10;
    return power;
}

bool decimal_parse(struct text text, struct decimal *out)
{
    struct decimal result = {0};
    bool negative = text.length > 0 && text.bytes[0] == '-', fraction = false;
    int digits = 0, scale = PLACES;
    for (size_t i = negative; i < text.length; i++) {
        char character = text.bytes[i];
        if ((character == '.' || character == ',') && !fraction) {
            fraction = true;
            continue;
        }
        if (character < '0' || character > '9' || (!fraction && ++digits > INTEGER_DIGITS_MAX))
            return false;
        result.places += fraction;
        if (result.places > PLACES)
            result.more |= character != '0';
        else
            result.value = result.value * 10 + (character - '0');
    }
    if (digits == 0 && result.places == 0)
        return false;
    scale -= result.places < PLACES ? result.places : PLACES;
    result.value *= power_of_ten(scale) * (negative ? -1 : 1);
    *out = result;
    return true;
}

int64_t decimal_round(struct decimal decimal, int places, bool *exact)
{
    int64_t unit = power_of_ten(PLACES - places);
    int64_t whole = decimal.value / unit, rest = decimal.value % unit;
    *exact = rest == 0 && !decimal.more;
    if (rest < 0) {
        rest += unit;
        whole--;
    }
    return 2 * rest >= unit ? whole + 1 : whole;
}

void decimal_format(int64_t value, int places, struct buffer *buffer)
{
    int64_t unit = power_of_ten(places);
    if (value < 0)
        buffer_append_string(buffer, "-");
    value = value < 0 ? -value : value;
    buffer_append_integer(buffer, value / unit);
    if (places > 0)
        buffer_print(buffer, ".%0*lld", places, (long long)(value % unit));
}
