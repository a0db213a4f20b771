/* Reads locators and coordinates. */
#include "adif/from_fields.h"

#include <ctype.h>

#include "adif/decimal.h"
#include "adif/rows.h"
#include "base/text.h"
#include "qso/locator.h"
#include "qso/qso.h"
#include "qso/values.h"

/* Returns whether the other station's locator in a digital QSO is RR73, the message that ends such
 * a QSO. Some programs mistake RR73 for a locator. */
static bool is_message(struct reading *reading, const struct row *row, struct text text)
{
    return row->slot == SLOT_GRIDSQUARE && text_equals_ignoring_case(text, "RR73") &&
           qso_integer_or(&reading->out->qso, FIELD_MODE, MODE_COUNT) == MODE_DIGITAL;
}

void from_fields_locator(struct reading *reading, const struct row *row)
{
    char normal[LOCATOR_LENGTH_MAX];
    struct text text = from_fields_take(reading, row->slot);
    if (text.length == 0)
        return;
    if (is_message(reading, row, text)) {
        from_fields_leave_out(reading, row->slot, "is a message, not a locator");
        return;
    }
    if (text.length == 2) {
        from_fields_leave_out(reading, row->slot, "has only two characters");
        return;
    }
    bool longer = text.length > LOCATOR_LENGTH_MAX;
    if (longer)
        text.length = LOCATOR_LENGTH_MAX;
    if (!locator_normalise(text, normal)) {
        from_fields_leave_out(reading, row->slot, "is not a Maidenhead locator");
        return;
    }
    if (longer)
        from_fields_report_change(reading, row->slot, "is cut to six characters");
    from_fields_keep_text(reading, row, row->slot, text);
}

/* Converts a coordinate such as N048 08.800 to thousandths of a minute. West and south are
 * negative. */
static bool parse_coordinate(struct text text, const char *signs, int64_t *thousandths)
{
    int sign = toupper((unsigned char)text.bytes[0]);
    struct text rest = text_skip(text, 1), whole = text_split_next(&rest, ' ');
    int64_t degrees;
    struct decimal minutes;
    bool exact;
    if ((sign != signs[0] && sign != signs[1]) || !rest.bytes || !from_fields_are_digits(whole) ||
        !text_parse_integer(whole, 0, 180, &degrees) || !decimal_parse(text_trim(rest), &minutes) ||
        minutes.value < 0 || minutes.value >= 60 * DECIMAL_ONE)
        return false;
    *thousandths = degrees * THOUSANDTHS_PER_DEGREE + decimal_round(minutes, 3, &exact);
    if (sign == signs[1])
        *thousandths = -*thousandths;
    return true;
}

static bool read_coordinate(struct reading *reading, enum slot slot, int64_t *thousandths)
{
    struct text text = from_fields_take(reading, slot);
    return text.length > 0 && parse_coordinate(text, slot == SLOT_LAT ? "NS" : "EW", thousandths);
}

/* Returns whether the coordinates are 0, 0, which programs without coordinates write. */
static bool is_placeholder(struct reading *reading)
{
    int64_t lat, lng;
    return read_coordinate(reading, SLOT_LAT, &lat) && read_coordinate(reading, SLOT_LON, &lng) &&
           lat == 0 && lng == 0;
}

void from_fields_coordinate(struct reading *reading, const struct row *row)
{
    int64_t thousandths;
    if (from_fields_take(reading, row->slot).length == 0)
        return;
    if (!read_coordinate(reading, row->slot, &thousandths))
        from_fields_leave_out(reading, row->slot, "must look like N048 08.800 or E002 21.130");
    else if (!is_placeholder(reading))
        from_fields_keep(reading, row->slot,
                         values_set_real(&fields[row->field],
                                         (double)thousandths / THOUSANDTHS_PER_DEGREE,
                                         reading->arena, from_fields_value_of(reading, row)));
    else if (row->slot == SLOT_LAT)
        from_fields_leave_out(reading, row->slot,
                              "is 0 like LON, which means that the place is unknown");
}
