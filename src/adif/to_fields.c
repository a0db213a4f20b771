/* Writes a QSO's values as standard fields that other programs read. Each kind of value has a
 * function, which the rows of standard.c name. The caller checks whether a field preserves the
 * value exactly, and otherwise adds an extra field. */
#include "adif/to_fields.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "adif/encoding.h"
#include "adif/record.h"
#include "adif/rows.h"
#include "adif/slots.h"
#include "adif/tag.h"
#include "base/arena.h"
#include "base/text.h"
#include "qso/qso.h"
#include "qso/values.h"

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

const struct value *to_fields_value_of(const struct writing *writing, const struct row *row)
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
        bool begins = next == '/' || (tag_begins_name(next) && (as_it_came || next != '_'));
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

void to_fields_add_text(struct writing *writing, enum slot slot, enum slot intl, struct text text,
                        enum escape_mode mode)
{
    if (!text.bytes)
        return;
    bool plain = !writing->strict || encoding_is_ascii(text);
    if (plain || intl != SLOT_NONE)
        to_fields_add(writing, plain ? slot : intl, to_fields_escape_text(writing, text, mode));
}

void to_fields_text(struct writing *writing, const struct row *row)
{
    to_fields_add_text(writing, row->slot, row->intl, qso_text(writing->qso, row->field),
                       ESCAPE_LINE);
}

void to_fields_station(struct writing *writing, const struct row *row)
{
    struct text station = qso_text(writing->qso, row->field);
    to_fields_add_text(writing, row->slot, row->intl, station.bytes ? station : writing->station,
                       ESCAPE_LINE);
}

void to_fields_operator(struct writing *writing, struct text maker)
{
    to_fields_add_text(writing, SLOT_OPERATOR, SLOT_NONE, maker, ESCAPE_LINE);
}

void to_fields_plain(struct writing *writing, const struct row *row)
{
    struct buffer text = {0};
    values_format(&fields[row->field], to_fields_value_of(writing, row), &text);
    to_fields_add(writing, row->slot, encoding_take(&text, writing->arena));
}

static long thousandths_of(const struct value *value)
{
    return value->state == VALUE_PRESENT ? lround(fabs(value->real) * THOUSANDTHS_PER_DEGREE) : -1;
}

/* Writes a coordinate. The coordinates 0, 0 are not written, because programs would read them as an
 * unknown place. */
void to_fields_coordinate(struct writing *writing, const struct row *row)
{
    const struct value *values = writing->qso->values;
    double degrees = to_fields_value_of(writing, row)->real;
    const char *signs = row->slot == SLOT_LAT ? "NS" : "EW";
    long thousandths = thousandths_of(to_fields_value_of(writing, row));
    if (thousandths_of(&values[FIELD_DX_LAT]) == 0 && thousandths_of(&values[FIELD_DX_LNG]) == 0)
        return;
    to_fields_add(
        writing, row->slot,
        text_of(arena_print(writing->arena, "%c%03ld %02ld.%03ld",
                            degrees < 0 ? signs[1] : signs[0], thousandths / THOUSANDTHS_PER_DEGREE,
                            thousandths / 1000 % 60, thousandths % 1000)));
}

/* Writes a choice as its letter. Some choices have no letter in ADIF; only our extra field contains
 * such a choice. If a QSL was sent by eQSL, EQSL_QSL_SENT is also written. */
void to_fields_letter(struct writing *writing, const struct row *row)
{
    const int64_t choice = to_fields_value_of(writing, row)->integer;
    if (choice >= (int64_t)strlen(row->letters))
        return;
    to_fields_add(writing, row->slot, (struct text){row->letters + choice, 1});
    if (row->field == FIELD_QSL_VIA && choice == QSL_VIA_EQSL &&
        qso_integer_or(writing->qso, FIELD_QSL_SENT, 0))
        to_fields_add(writing, SLOT_EQSL_QSL_SENT, text_of("Y"));
}

/* Writes Y for true. False can also mean unknown, requested or queued, so the field is then
 * omitted. */
void to_fields_qsl(struct writing *writing, const struct row *row)
{
    if (to_fields_value_of(writing, row)->integer)
        to_fields_add(writing, row->slot, text_of("Y"));
}

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
