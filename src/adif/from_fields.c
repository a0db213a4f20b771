/* Reads standard fields. An optional value that does not fit is left out and reported. The field
 * table contains the bounds of values. */
#include "adif/from_fields.h"

#include <ctype.h>
#include <string.h>

#include "adif/decimal.h"
#include "adif/record.h"
#include "adif/rows.h"
#include "base/arena.h"
#include "base/text.h"
#include "base/text_utf8.h"
#include "qso/values.h"

void from_fields_report(struct reading *reading, enum mapped_notice notice,
                        const struct record_field *field, const char *reason)
{
    if (reading->source->report)
        reading->source->report(reading->source->context, notice, field->name, field->line, reason);
}

void from_fields_leave_out(struct reading *reading, enum slot slot, const char *reason)
{
    from_fields_report(reading, NOTICE_LEFT_OUT, reading->slots.standard[slot], reason);
}

void from_fields_report_change(struct reading *reading, enum slot slot, const char *reason)
{
    from_fields_report(reading, NOTICE_CHANGED, reading->slots.standard[slot], reason);
}

struct text from_fields_take(struct reading *reading, enum slot slot)
{
    const struct record_field *field = slot == SLOT_NONE ? NULL : reading->slots.standard[slot];
    return field ? text_trim(field->value) : (struct text){0};
}

struct text from_fields_take_either(struct reading *reading, enum slot slot, enum slot intl,
                                    enum slot *from)
{
    struct text text = from_fields_take(reading, intl);
    *from = text.length > 0 ? intl : slot;
    return text.length > 0 ? text : from_fields_take(reading, slot);
}

struct value *from_fields_value_of(struct reading *reading, const struct row *row)
{
    return &reading->out->qso.values[row->field];
}

void from_fields_keep_number(struct reading *reading, const struct row *row, int64_t number)
{
    *from_fields_value_of(reading, row) = (struct value){.integer = number, .state = VALUE_PRESENT};
}

const char *from_fields_reason_of(const struct rejection *rejection)
{
    return rejection->reason ? rejection->reason : rejection->code;
}

void from_fields_keep(struct reading *reading, enum slot slot, const struct rejection *rejection)
{
    if (rejection)
        from_fields_leave_out(reading, slot, from_fields_reason_of(rejection));
}

void from_fields_keep_text(struct reading *reading, const struct row *row, enum slot slot,
                           struct text text)
{
    if (text.length > 0)
        from_fields_keep(reading, slot,
                         values_parse(&fields[row->field], text, reading->arena,
                                      from_fields_value_of(reading, row)));
}

void from_fields_keep_integer(struct reading *reading, const struct row *row, enum slot slot,
                              int64_t integer)
{
    from_fields_keep(reading, slot,
                     values_set_integer(&fields[row->field], integer, reading->arena,
                                        from_fields_value_of(reading, row)));
}

bool from_fields_are_digits(struct text text)
{
    return text_count_leading(text, isdigit) == text.length;
}

void from_fields_text(struct reading *reading, const struct row *row)
{
    enum slot slot;
    struct text text = from_fields_take_either(reading, row->slot, row->intl, &slot);
    from_fields_keep_text(reading, row, slot, text);
}

/* Reads the callsign on the air from STATION_CALLSIGN or, if that field is missing, from OPERATOR.
 * If the fields differ, OPERATOR names the person who made the QSO. */
void from_fields_station(struct reading *reading, const struct row *row)
{
    struct text station = from_fields_take(reading, row->slot);
    struct text person = from_fields_take(reading, SLOT_OPERATOR);
    bool are_two = station.length > 0 && person.length > 0 && !text_equals(station, person);
    if (are_two && text_count_code_points(person) <= (size_t)fields[row->field].maximum)
        reading->out->maker =
            (struct text){arena_copy(reading->arena, person.bytes, person.length), person.length};
    if (are_two && !reading->source->is_station)
        from_fields_report(reading, NOTICE_NO_FIELD, reading->slots.standard[SLOT_OPERATOR], NULL);
    if (station.length > 0)
        from_fields_keep_text(reading, row, row->slot, station);
    else
        from_fields_keep_text(reading, row, SLOT_OPERATOR, person);
}

void from_fields_power(struct reading *reading, const struct row *row)
{
    struct text text = from_fields_take(reading, row->slot);
    struct decimal watts;
    bool exact;
    if (text.length == 0)
        return;
    if (toupper((unsigned char)text.bytes[text.length - 1]) == 'W')
        text = text_trim((struct text){text.bytes, text.length - 1});
    if (!decimal_parse(text, &watts) || watts.value < 0) {
        from_fields_leave_out(reading, row->slot, "is not a number of watts");
        return;
    }
    int64_t whole = decimal_round(watts, 0, &exact);
    if (!exact)
        from_fields_report_change(reading, row->slot, "is rounded to whole watts");
    from_fields_keep_integer(reading, row, row->slot, whole);
}
