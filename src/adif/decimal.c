/* Reads numbers digit by digit and keeps them as integers. Binary fractions are inexact, and could
 * move a frequency across a band's limit. Limits are checked before a frequency is rounded. The
 * field table contains the bounds of values. */
#include "adif/decimal.h"

#include <ctype.h>
#include <stddef.h>

#define INTEGER_DIGITS_MAX 9

int64_t decimal_power_of_ten(int exponent)
{
    int64_t power = 1;
    while (exponent-- > 0)
        power *= 10;
    return power;
}

bool decimal_parse(struct text text, struct decimal *out)
{
    if (text.length == 0)
        return false;
    const bool is_negative = text.bytes[0] == '-';
    struct text rest = text_skip(text, is_negative);
    const struct text whole = {rest.bytes, text_count_leading(rest, isdigit)};
    rest = text_skip(rest, whole.length);
    rest = text_skip(rest, rest.length > 0 && (*rest.bytes == '.' || *rest.bytes == ','));
    const size_t places = text_count_leading(rest, isdigit);
    if (places < rest.length || whole.length > INTEGER_DIGITS_MAX || whole.length + places == 0)
        return false;
    *out = (struct decimal){.places = (int)places};
    text_parse_integer(whole, 0, INT64_MAX, &out->value);
    for (size_t i = 0; i < places || i < DECIMAL_PLACES; i++) {
        const int digit = i < places ? rest.bytes[i] - '0' : 0;
        if (i < DECIMAL_PLACES)
            out->value = out->value * 10 + digit;
        else
            out->more |= digit > 0;
    }
    out->value *= is_negative ? -1 : 1;
    return true;
}

int64_t decimal_round(struct decimal decimal, int places, bool *exact)
{
    int64_t unit = decimal_power_of_ten(DECIMAL_PLACES - places);
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
    int64_t unit = decimal_power_of_ten(places);
    if (value < 0)
        buffer_append_string(buffer, "-");
    value = value < 0 ? -value : value;
    buffer_append_integer(buffer, value / unit);
    if (places > 0)
        buffer_print(buffer, ".%0*lld", places, (long long)(value % unit));
}
