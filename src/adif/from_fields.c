/* Reads standard fields. An optional value that does not fit is left out and reported; if the
 * time or the band does not fit, the record is refused. The bounds of values are in the field
 * table. */
#include "adif/rows.h"

#include <ctype.h>
#include <string.h>

#include "adif/record.h"
#include "adif/modes.h"
#include "base/datetime.h"
#include "base/text_utf8.h"
#include "qso/locator.h"
#include "qso/values.h"

/* -- What all of them need --------------------------------------------------------------------- */

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

static void report_change(struct reading *reading, enum slot slot, const char *reason)
{
    from_fields_report(reading, NOTICE_CHANGED, reading->slots.standard[slot], reason);
}

struct text from_fields_take(struct reading *reading, enum slot slot)
{
    const struct record_field *field = slot == SLOT_NONE ? NULL : reading->slots.standard[slot];
    return field ? text_trim(field->value) : (struct text){0};
}

/* The _INTL field, for texts that are not ASCII, wins over the field of the same name without it.
 */
static struct text take_either(struct reading *reading, enum slot slot, enum slot intl,
                               enum slot *from)
{
    struct text text = from_fields_take(reading, intl);
    *from = text.length > 0 ? intl : slot;
    return text.length > 0 ? text : from_fields_take(reading, slot);
}

static struct value *value_of(struct reading *reading, const struct row *row)
{
    return &reading->out->qso.values[row->field];
}

static void keep_number(struct reading *reading, const struct row *row, int64_t number)
{
    *value_of(reading, row) = (struct value){.integer = number, .state = VALUE_PRESENT};
}

/* A rejection from the field table begins with our name of the field. */
static const char *reason_of(const struct field *field, const struct rejection *rejection)
{
    size_t name = strlen(field->name);
    bool named = strncmp(rejection->code, field->name, name) == 0 && rejection->code[name] == ' ';
    return named ? rejection->code + name + 1 : rejection->code;
}

static void keep(struct reading *reading, const struct row *row, enum slot slot,
                 const struct rejection *rejection)
{
    if (rejection)
        from_fields_leave_out(reading, slot, reason_of(&fields[row->field], rejection));
}

void from_fields_keep_text(struct reading *reading, const struct row *row, enum slot slot,
                           struct text text)
{
    if (text.length > 0)
        keep(reading, row, slot,
             values_parse(&fields[row->field], text, reading->arena, value_of(reading, row)));
}

static void keep_integer(struct reading *reading, const struct row *row, enum slot slot,
                         int64_t integer)
{
    keep(reading, row, slot,
         values_set_integer(&fields[row->field], integer, reading->arena, value_of(reading, row)));
}

/* -- Time and tuning --------------------------------------------------------------------------- */

static bool refuse(struct reading *reading, enum slot slot, const char *reason)
{
    const struct record_field *field = reading->slots.standard[slot];
    struct record_field missing = {.name = text_of(slot_table[slot].name)};
    from_fields_report(reading, NOTICE_REFUSED, field ? field : &missing, reason);
    return false;
}

static bool are_digits(struct text text)
{
    return text_count_leading(text, isdigit) == text.length;
}

bool from_fields_time(struct reading *reading)
{
    struct text date = from_fields_take(reading, SLOT_QSO_DATE);
    struct text time = from_fields_take(reading, SLOT_TIME_ON);
    int64_t ms;
    if (date.length == 0)
        return refuse(reading, SLOT_QSO_DATE, "is missing");
    if (date.length != 8 || !are_digits(date))
        return refuse(reading, SLOT_QSO_DATE, "is not a date of 8 digits");
    if (time.length == 0)
        return refuse(reading, SLOT_TIME_ON, "is missing");
    if ((time.length != 4 && time.length != 6) || !are_digits(time))
        return refuse(reading, SLOT_TIME_ON, "is not a time of 4 or 6 digits");
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
        report_change(reading, slot, reasons[unit]);
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
        report_change(reading, row->slot, "is rounded to three decimals");
    if (reading->band_match.khz)
        keep_integer(reading, row, row->slot, reading->band_match.khz);
}

void from_fields_channel(struct reading *reading, const struct row *row)
{
    if (reading->band_match.channel)
        keep_number(reading, row, reading->band_match.channel);
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
            report_change(reading, row->slot, "gives a split that is rounded to whole kHz");
        keep_integer(reading, row, row->slot, khz);
    }
}

/* -- Texts ------------------------------------------------------------------------------------- */

void from_fields_text(struct reading *reading, const struct row *row)
{
    enum slot slot;
    struct text text = take_either(reading, row->slot, row->intl, &slot);
    from_fields_keep_text(reading, row, slot, text);
}

/* The callsign on the air is STATION_CALLSIGN. If it is missing, OPERATOR, a person, replaces it.
 */
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

/* RR73 ends a digital QSO, and some programs mistake it for the other station's square. */
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
        report_change(reading, row->slot, "is cut to six characters");
    from_fields_keep_text(reading, row, row->slot, text);
}

/* N048 08.800 in thousandths of a minute, west and south below zero. */
static bool parse_coordinate(struct text text, const char *signs, int64_t *thousandths)
{
    int sign = toupper((unsigned char)text.bytes[0]);
    struct text rest = text_skip(text, 1), whole = text_split_next(&rest, ' ');
    int64_t degrees;
    struct decimal minutes;
    bool exact;
    if ((sign != signs[0] && sign != signs[1]) || !rest.bytes || !are_digits(whole) ||
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

/* Programs write 0, 0 if they know no coordinates. */
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
        keep(reading, row, row->slot,
             values_set_real(&fields[row->field], (double)thousandths / THOUSANDTHS_PER_DEGREE,
                             reading->arena, value_of(reading, row)));
    else if (row->slot == SLOT_LAT)
        from_fields_leave_out(reading, row->slot,
                              "is 0 like LON, which means that the place is unknown");
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
        report_change(reading, row->slot, "is rounded to whole watts");
    keep_integer(reading, row, row->slot, whole);
}

/* -- Choices ----------------------------------------------------------------------------------- */

/* One of the letters, in any case; 0: the text is not one of the letters. */
static char one_of(struct text text, const char *letters)
{
    const char *found =
        text.length == 1 ? strchr(letters, toupper((unsigned char)text.bytes[0])) : NULL;
    return found ? *found : 0;
}

/* The letter in the field. 0: the field is empty, or its text is not one of the letters and is left
 * out. */
static char take_letter(struct reading *reading, const struct row *row, struct text *text)
{
    *text = from_fields_take(reading, row->slot);
    const char letter = one_of(*text, row->letters);
    if (text->length > 0 && !letter)
        from_fields_leave_out(reading, row->slot, row->otherwise);
    return letter;
}

static bool is_eqsl_sent(struct reading *reading)
{
    return one_of(from_fields_take(reading, SLOT_EQSL_QSL_SENT), "Y");
}

void from_fields_letter(struct reading *reading, const struct row *row)
{
    struct text text;
    char letter = take_letter(reading, row, &text);
    if (text.length == 0 && row->slot == SLOT_QSL_SENT_VIA && is_eqsl_sent(reading))
        letter = 'E';
    if (letter)
        keep_number(reading, row, strchr(row->letters, letter) - row->letters);
}

void from_fields_qsl(struct reading *reading, const struct row *row)
{
    struct text text, via = from_fields_take(reading, SLOT_QSL_SENT_VIA);
    char letter = take_letter(reading, row, &text);
    if (text.length == 0 && row->slot == SLOT_QSL_SENT && is_eqsl_sent(reading) &&
        (via.length == 0 || one_of(via, "E")))
        letter = 'Y';
    if (letter)
        keep_number(reading, row, letter == 'Y' || letter == 'V');
}

/* Reads MODE and SUBMODE, and the fields that become notes: NAME, QTH, NOTES, COMMENT. A part that
 * would make the notes too long is left out and reported; the other parts stay. modes.c decides the
 * form of the notes and the meaning of modes. */

/* -- Mode -------------------------------------------------------------------------------------- */

/* All modes of a QSO except DIGITAL, which covers the modes that have no name here. */
static bool keep_named_mode(struct reading *reading, const struct row *row, struct text name)
{
    const char *const *modes = fields[row->field].choices;
    const char *other = modes_find_other_word(name);
    for (size_t i = 0; modes[i]; i++)
        if (i != MODE_DIGITAL && (text_equals_ignoring_case(name, modes[i]) ||
                                  (other && strcmp(other, modes[i]) == 0))) {
            from_fields_keep_text(reading, row, row->slot, text_of(modes[i]));
            return true;
        }
    return false;
}

static bool keep_digital_mode(struct reading *reading, const struct row *row, struct text name)
{
    struct mode_name found;
    const bool is_name = modes_find_digital(name, reading->arena, &found);
    if (!is_name && !text_is_one_of(name, "DIGITAL DATA DIGI"))
        return false;
    if (is_name && keep_named_mode(reading, row, name))
        return true;
    from_fields_keep_text(reading, row, row->slot, text_of("DIGITAL"));
    if (is_name)
        reading->out->notes.parts[NOTES_MODE] = found.name;
    return true;
}

/* A mode that has no submodes, or only its sidebands. */
static bool is_plain_mode(struct text mode)
{
    const char *other = modes_find_other_word(mode);
    return text_is_one_of(other ? text_of(other) : mode, "FM AM CW");
}

void from_notes_mode(struct reading *reading, const struct row *row)
{
    struct text mode = from_fields_take(reading, SLOT_MODE);
    struct text submode = from_fields_take(reading, SLOT_SUBMODE);
    struct mode_name found;
    const bool is_plain = is_plain_mode(mode), is_side = text_is_one_of(mode, "USB LSB");
    if (!is_plain && text_is_one_of(submode, "USB LSB") && keep_named_mode(reading, row, submode))
        return;
    if (submode.length > 0 && !is_plain && !text_equals_ignoring_case(mode, "SSB") &&
        (!is_side || modes_find(submode, &found)) && keep_digital_mode(reading, row, submode))
        return;
    if (submode.length > 0 && !text_equals_ignoring_case(submode, "PCW"))
        from_fields_leave_out(reading, SLOT_SUBMODE, "does not belong to the mode");
    if (mode.length > 0 && !keep_named_mode(reading, row, mode) &&
        !keep_digital_mode(reading, row, mode))
        from_fields_leave_out(reading, SLOT_MODE, "is not a mode of ADIF");
}

/* -- Notes ------------------------------------------------------------------------------------- */

/* Line breaks as LF, or as spaces if the text must be on one line. */
static struct text break_lines(struct reading *reading, struct text text, char with)
{
    char *out = arena_allocate(reading->arena, text.length + 1);
    size_t length = 0;
    for (size_t i = 0; i < text.length; i++) {
        char character = text.bytes[i];
        if (character == '\r' && i + 1 < text.length && text.bytes[i + 1] == '\n')
            continue;
        out[length++] = character == '\r' || character == '\n' ? with : character;
    }
    return (struct text){out, length};
}

/* Adds a part to the notes, or reports it if the notes would become too long. */
static void add_part(struct reading *reading, const struct row *row, enum notes_part part,
                     enum slot slot, struct text text)
{
    struct notes notes = reading->out->notes;
    if (text.length == 0)
        return;
    notes.parts[part] = text;
    const struct rejection *rejection =
        values_parse(&fields[row->field], notes_join(&notes, reading->arena), reading->arena,
                     &reading->out->qso.values[row->field]);
    if (rejection)
        from_fields_leave_out(reading, slot,
                              arena_print(reading->arena, "does not fit: the notes %s",
                                          reason_of(&fields[row->field], rejection)));
    else
        reading->out->notes = notes;
}

static struct text two_paragraphs(struct reading *reading, struct text first, struct text second)
{
    struct buffer out = {0};
    if (first.length == 0)
        return second;
    buffer_append(&out, first.bytes, first.length);
    buffer_append_string(&out, "\n\n");
    buffer_append(&out, second.bytes, second.length);
    return encoding_take(&out, reading->arena);
}

void from_notes_text(struct reading *reading, const struct row *row)
{
    enum slot name_slot, qth_slot, notes_slot, comment_slot;
    struct text name = take_either(reading, SLOT_NAME, SLOT_NAME_INTL, &name_slot);
    struct text qth = take_either(reading, SLOT_QTH, SLOT_QTH_INTL, &qth_slot);
    struct text notes = take_either(reading, SLOT_NOTES, SLOT_NOTES_INTL, &notes_slot);
    struct text comment = take_either(reading, SLOT_COMMENT, SLOT_COMMENT_INTL, &comment_slot);
    notes = break_lines(reading, notes, '\n');
    comment = break_lines(reading, comment, '\n');
    if (reading->out->notes.parts[NOTES_MODE].bytes)
        add_part(reading, row, NOTES_MODE, SLOT_MODE, reading->out->notes.parts[NOTES_MODE]);
    add_part(reading, row, NOTES_NAME, name_slot, break_lines(reading, name, ' '));
    add_part(reading, row, NOTES_QTH, qth_slot, break_lines(reading, qth, ' '));
    add_part(reading, row, NOTES_BODY, notes_slot, notes);
    if (comment.length > 0 && !text_equals(comment, notes))
        add_part(reading, row, NOTES_BODY, comment_slot,
                 two_paragraphs(reading, reading->out->notes.parts[NOTES_BODY], comment));
    /* in the form that notes_split will find in the stored text: a body may begin like one of our
     * lines */
    reading->out->notes = notes_of_qso(&reading->out->qso);
}
