/* Writes the values of a QSO as standard fields that other programs read: one function for each
 * kind of value, named by the rows of mapping.c. The caller checks whether a field preserves the
 * value exactly, and otherwise adds an extra field. */
#include "adif/rows.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "adif/lengths.h"
#include "adif/record.h"
#include "adif/modes.h"
#include "base/datetime.h"
#include "qso/values.h"

/* -- What all of them need --------------------------------------------------------------------- */

static struct record_field *add_field(struct writing *writing, struct text name, struct text value)
{
    assert(writing->count < WRITING_FIELDS_MAX);
    struct record_field *field = &writing->fields[writing->count++];
    *field = (struct record_field){.name = name, .value = value};
    return field;
}

void to_fields_add(struct writing *writing, enum slot slot, struct text value)
{
    if (value.length > 0)
        writing->slots.standard[slot] = add_field(writing, text_of(slot_table[slot].name), value);
}

static const struct value *value_of(const struct writing *writing, const struct row *row)
{
    return &writing->qso->values[row->field];
}

struct text to_fields_escape_text(struct writing *writing, struct text text, enum escape_mode mode)
{
    char *out = arena_allocate(writing->arena, 2 * text.length + 1);
    const bool as_it_came = mode == ESCAPE_AS_IT_CAME, lines = mode == ESCAPE_LINES;
    size_t length = 0;
    for (size_t i = 0; i < text.length; i++) {
        unsigned char byte = (unsigned char)text.bytes[i];
        char next = i + 1 < text.length ? text.bytes[i + 1] : ' ';
        bool begins = next == '/' || (lengths_begins_name(next) && (as_it_came || next != '_'));
        if (byte == '\r' && next == '\n' && lines)
            continue;
        if (byte == '\n' && lines)
            out[length++] = '\r';
        else if ((byte < ' ' && !(as_it_came && memchr("\t\r\n", byte, 3))) || byte == 0x7F)
            byte = ' ';
        out[length++] = byte == '<' && begins ? '(' : (char)byte;
    }
    return (struct text){out, length};
}

static void add_text(struct writing *writing, enum slot slot, enum slot intl, struct text text,
                     enum escape_mode mode)
{
    if (!text.bytes)
        return;
    bool plain = !writing->strict || encoding_is_ascii(text);
    if (plain || intl != SLOT_NONE)
        to_fields_add(writing, plain ? slot : intl, to_fields_escape_text(writing, text, mode));
}

/* -- Time and tuning --------------------------------------------------------------------------- */

void to_fields_time(struct writing *writing, const struct row *row)
{
    char *iso = arena_allocate(writing->arena, DATETIME_TEXT_LENGTH);
    datetime_format(value_of(writing, row)->integer, iso);
    to_fields_add(writing, SLOT_QSO_DATE,
                  text_of(arena_print(writing->arena, "%.4s%.2s%.2s", iso, iso + 5, iso + 8)));
    to_fields_add(
        writing, SLOT_TIME_ON,
        text_of(arena_print(writing->arena, "%.2s%.2s%.2s", iso + 11, iso + 14, iso + 17)));
}

void to_fields_band(struct writing *writing, const struct row *row)
{
    bool has_frequency = writing->qso->values[FIELD_FREQUENCY].state == VALUE_PRESENT;
    if (value_of(writing, row)->integer == BAND_ELEVEN_METERS &&
        !(writing->strict && has_frequency))
        to_fields_add(writing, row->slot, text_of("11m"));
}

/* The QSO's frequency in 10^-9 MHz; 0: not known. */
static int64_t frequency_of(const struct qso *qso)
{
    const struct value *khz = &qso->values[FIELD_FREQUENCY];
    const struct value *channel = &qso->values[FIELD_CHANNEL];
    if (khz->state == VALUE_PRESENT)
        return khz->integer * (DECIMAL_ONE / 1000);
    return channel->state == VALUE_PRESENT ? band_match_channel_centre(channel->integer) : 0;
}

static void add_frequency(struct writing *writing, enum slot slot, int64_t frequency)
{
    struct buffer text = {0};
    int64_t khz = DECIMAL_ONE / 1000;
    bool fine = frequency % khz != 0;
    decimal_format(frequency / (fine ? khz / 100 : khz), fine ? 5 : 3, &text);
    to_fields_add(writing, slot, encoding_take(&text, writing->arena));
}

void to_fields_frequency(struct writing *writing, const struct row *row)
{
    add_frequency(writing, row->slot, frequency_of(writing->qso));
}

/* If the result is outside the band, other programs would understand FREQ_RX differently. */
void to_fields_split(struct writing *writing, const struct row *row)
{
    int64_t transmitting = frequency_of(writing->qso);
    int64_t receiving = transmitting - value_of(writing, row)->integer * (DECIMAL_ONE / 1000);
    if (transmitting > 0 &&
        band_match_is_on_band((enum band)writing->qso->values[FIELD_BAND].integer, receiving))
        add_frequency(writing, row->slot, receiving);
}

/* -- Texts ------------------------------------------------------------------------------------- */

void to_fields_text(struct writing *writing, const struct row *row)
{
    add_text(writing, row->slot, row->intl, qso_text(writing->qso, row->field), ESCAPE_LINE);
}

void to_fields_station(struct writing *writing, const struct row *row)
{
    struct text station = qso_text(writing->qso, row->field);
    add_text(writing, row->slot, row->intl, station.bytes ? station : writing->station,
             ESCAPE_LINE);
}

void to_fields_operator(struct writing *writing, struct text maker)
{
    add_text(writing, SLOT_OPERATOR, SLOT_NONE, maker, ESCAPE_LINE);
}

void to_fields_plain(struct writing *writing, const struct row *row)
{
    struct buffer text = {0};
    values_format(&fields[row->field], value_of(writing, row), &text);
    to_fields_add(writing, row->slot, encoding_take(&text, writing->arena));
}

static long thousandths_of(const struct value *value)
{
    return value->state == VALUE_PRESENT ? lround(fabs(value->real) * THOUSANDTHS_PER_DEGREE) : -1;
}

/* Programs would read 0, 0 as "no known place". */
void to_fields_coordinate(struct writing *writing, const struct row *row)
{
    const struct value *values = writing->qso->values;
    double degrees = value_of(writing, row)->real;
    const char *signs = row->slot == SLOT_LAT ? "NS" : "EW";
    long thousandths = thousandths_of(value_of(writing, row));
    if (thousandths_of(&values[FIELD_DX_LAT]) == 0 && thousandths_of(&values[FIELD_DX_LNG]) == 0)
        return;
    to_fields_add(
        writing, row->slot,
        text_of(arena_print(writing->arena, "%c%03ld %02ld.%03ld",
                            degrees < 0 ? signs[1] : signs[0], thousandths / THOUSANDTHS_PER_DEGREE,
                            thousandths / 1000 % 60, thousandths % 1000)));
}

/* -- Choices ----------------------------------------------------------------------------------- */

/* ADIF has no value for a choice without a letter: only our own field holds it. */
void to_fields_letter(struct writing *writing, const struct row *row)
{
    const int64_t choice = value_of(writing, row)->integer;
    if (choice >= (int64_t)strlen(row->letters))
        return;
    to_fields_add(writing, row->slot, (struct text){row->letters + choice, 1});
    if (row->field == FIELD_QSL_VIA && choice == QSL_VIA_EQSL &&
        qso_integer_or(writing->qso, FIELD_QSL_SENT, 0))
        to_fields_add(writing, SLOT_EQSL_QSL_SENT, text_of("Y"));
}

/* False also means "not known": not sent, requested, or queued. Omitting the field means the same.
 */
void to_fields_qsl(struct writing *writing, const struct row *row)
{
    if (value_of(writing, row)->integer)
        to_fields_add(writing, row->slot, text_of("Y"));
}

/* Splits the notes into parts, and finds the digital mode in them. A line with another word belongs
 * to the body. In strict records, so does a mode that ADIF does not have. */
static struct notes split_notes(struct writing *writing, struct mode_name *mode)
{
    struct notes notes = notes_of_qso(writing->qso);
    const struct text name = notes.parts[NOTES_MODE];
    *mode = (struct mode_name){0};
    const bool is_known = writing->strict
                              ? modes_find(name, mode)
                              : name.bytes && modes_find_digital(name, writing->arena, mode);
    if (is_known && (modes_find(name, mode) || text_equals(name, mode->name)))
        return notes;
    *mode = (struct mode_name){0};
    return notes_split(qso_text(writing->qso, FIELD_NOTES), false);
}

/* ADIF has no standard field for an unknown mode, so only our field holds it. */
void to_fields_mode(struct writing *writing, const struct row *row)
{
    const int64_t mode = value_of(writing, row)->integer;
    const struct text own = text_of(fields[row->field].choices[mode]);
    struct mode_name found = {own, own};
    if (mode == MODE_DIGITAL)
        split_notes(writing, &found);
    else if (mode == MODE_USB || mode == MODE_LSB)
        found.mode = text_of("SSB");
    else if (!text_is_one_of(own, "FM AM SSB CW") && !modes_find(own, &found))
        return;
    to_fields_add(writing, SLOT_MODE, found.mode);
    if (!text_equals(found.name, found.mode))
        to_fields_add(writing, SLOT_SUBMODE, found.name);
}

void to_fields_notes(struct writing *writing, const struct row *row)
{
    struct mode_name digital;
    struct notes notes = split_notes(writing, &digital);
    add_text(writing, SLOT_NAME, SLOT_NAME_INTL, notes.parts[NOTES_NAME], ESCAPE_LINE);
    add_text(writing, SLOT_QTH, SLOT_QTH_INTL, notes.parts[NOTES_QTH], ESCAPE_LINE);
    add_text(writing, row->slot, row->intl, notes.parts[NOTES_BODY], ESCAPE_LINES);
}

/* -- Our own fields ---------------------------------------------------------------------------- */

void to_fields_extra(struct writing *writing, enum field_index index)
{
    const struct field *field = &fields[index];
    const struct value *value = &writing->qso->values[index];
    struct buffer text = {0};
    if (value->state == VALUE_PRESENT && field->kind == KIND_TEXT)
        encoding_percent_encode(qso_text(writing->qso, index), &text);
    else if (value->state == VALUE_PRESENT)
        values_format(field, value, &text);
    add_field(writing, text_of(field->adif_name), encoding_take(&text, writing->arena));
}
