/* Reads the time, the band, the frequency and the split. If the time is invalid or the band is
 * unknown, the record is rejected. */
#include "adif/from_fields.h"

#include "adif/band_match.h"
#include "adif/decimal.h"
#include "adif/record.h"
#include "adif/rows.h"
#include "adif/slots.h"
#include "base/arena.h"
#include "base/datetime.h"
#include "base/text.h"

static bool refuse(struct reading *reading, enum slot slot, const char *reason)
{
    const struct record_field *field = reading->slots.standard[slot];
    struct record_field missing = {.name = text_of(slot_table[slot].name)};
    from_fields_report(reading, NOTICE_REFUSED, field ? field : &missing, reason);
    return false;
}

bool from_fields_time(struct reading *reading)
{
    struct text date = from_fields_take(reading, SLOT_QSO_DATE);
    struct text time = from_fields_take(reading, SLOT_TIME_ON);
    int64_t ms;
    if (date.length == 0)
        return refuse(reading, SLOT_QSO_DATE, "is missing");
    if (date.length != 8 || !from_fields_are_digits(date))
        return refuse(reading, SLOT_QSO_DATE, "is not a date with 8 digits");
    if (time.length == 0)
        return refuse(reading, SLOT_TIME_ON, "is missing");
    if ((time.length != 4 && time.length != 6) || !from_fields_are_digits(time))
        return refuse(reading, SLOT_TIME_ON, "is not a time with 4 or 6 digits");
    bool seconds = time.length == 6;
    const char *iso =
        arena_print(reading->arena, "%.4s-%.2s-%.2sT%.2s:%.2s:%.2sZ", date.bytes, date.bytes + 4,
                    date.bytes + 6, time.bytes, time.bytes + 2, seconds ? time.bytes + 4 : "00");
    if (!datetime_parse(text_of(iso), &ms))
        return refuse(reading, SLOT_QSO_DATE, "and TIME_ON are not a date and time");
    reading->out->qso.values[FIELD_QSO_AT] = (struct value){.integer = ms, .state = VALUE_PRESENT};
    reading->out->to_minute = !seconds;
    return true;
}

static void report_unit(struct reading *reading, enum slot slot, enum frequency_unit unit)
{
    static const char *const reasons[UNIT_COUNT] = {
        [UNIT_KILOHERTZ] = "is read as kHz", [UNIT_HERTZ] = "is read as Hz"};
    if (reasons[unit])
        from_fields_report_change(reading, slot, reasons[unit]);
}

bool from_fields_band_match(struct reading *reading, struct band_match_fields *said)
{
    struct text frequency = from_fields_take(reading, SLOT_FREQ);
    said->band = from_fields_take(reading, SLOT_BAND);
    bool fits = decimal_parse(frequency, &said->frequency) && said->frequency.value >= 0;
    said->has_frequency = fits && said->frequency.value > 0;
    reading->band_match = band_match_find(said);
    if (reading->band_match.kind == BAND_MATCH_UNKNOWN)
        return refuse(reading, SLOT_BAND, reading->band_match.reason);
    if (reading->band_match.kind == BAND_MATCH_OURS) {
        reading->out->qso.values[FIELD_BAND] =
            (struct value){.integer = reading->band_match.band, .state = VALUE_PRESENT};
        report_unit(reading, SLOT_FREQ, reading->band_match.unit);
        if (frequency.length > 0 && !fits)
            from_fields_leave_out(reading, SLOT_FREQ, "is not a frequency");
    }
    return true;
}

void from_fields_frequency(struct reading *reading, const struct row *row)
{
    if (reading->band_match.rounded)
        from_fields_report_change(reading, row->slot, "is rounded to three decimals");
    if (reading->band_match.khz)
        from_fields_keep_integer(reading, row, row->slot, reading->band_match.khz);
}

void from_fields_channel(struct reading *reading, const struct row *row)
{
    if (reading->band_match.channel)
        from_fields_keep_number(reading, row, reading->band_match.channel);
}

void from_fields_split(struct reading *reading, const struct row *row)
{
    struct text text = from_fields_take(reading, row->slot);
    struct decimal receiving;
    const int64_t transmitting = reading->band_match.frequency.value;
    enum frequency_unit unit = UNIT_MEGAHERTZ;
    bool exact;
    if (text.length == 0)
        return;
    bool fits = decimal_parse(text, &receiving) && receiving.value >= 0;
    if (fits)
        receiving = band_match_read_frequency(receiving, reading->band_match.band, &unit);
    if (!fits) {
        from_fields_leave_out(reading, row->slot, "is not a frequency");
    } else if (receiving.value > 0 && transmitting == 0) {
        from_fields_leave_out(reading, row->slot, "is given without FREQ");
    } else if (receiving.value > 0 &&
               !band_match_is_on_band(reading->band_match.band, receiving.value)) {
        from_fields_leave_out(reading, row->slot, "is on another band");
    } else if (receiving.value > 0) {
        struct decimal split = {.value = transmitting - receiving.value};
        int64_t khz = decimal_round(split, 3, &exact);
        report_unit(reading, row->slot, unit);
        if (!exact)
            from_fields_report_change(reading, row->slot,
                                      "gives a split that is rounded to whole kHz");
        from_fields_keep_integer(reading, row, row->slot, khz);
    }
}
