/* Writes and reads a QSO's previous content in a compact format.
 *
 * A state begins with a byte for its extent. For each field that has a value, the field's mark and
 * the value follow. The mark is derived from the column's name, because new fields change the
 * positions of other fields. The lowest two bits of a mark show the format of the value, so that a
 * removed field can be skipped. */
#include "store/state.h"

#include <string.h>

#include "qso/content.h"
#include "qso/fields.h"
#include "store/columns.h"

#define FORM_BITS 2
#define NUMBER_BYTES_MAX 10 /* a number has 64 bits, with seven bits in each byte */

/* Returns the mark of a field: the FNV-1a hash of the column's name, folded to 14 bits, and the
 * format of the value. Marks are stored, so this function never changes. */
static unsigned mark_of(const struct field *field)
{
    uint32_t hash = 2166136261u;
    for (const char *at = field->column; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 16777619u;
    hash ^= hash >> 14 ^ hash >> 28;
    return (hash & 0x3fff) << FORM_BITS | (unsigned)columns_form_of(field->kind);
}

/* Returns whether a state of this extent contains the field. */
static bool covers(enum state_extent extent, const struct field *field, int number)
{
    if (extent == STATE_WHOLE)
        return field->column && !(field->flags & FIELD_ASSIGNED) && number != FIELD_SYNCED_AT;
    return content_has(field) && !(field->flags & FIELD_CONSTANT);
}

static void write_number(uint64_t number, struct buffer *out)
{
    unsigned char *at = (unsigned char *)buffer_reserve(out, NUMBER_BYTES_MAX);
    size_t length = 0;
    for (; number >= 0x80; number >>= 7)
        at[length++] = (unsigned char)(number | 0x80);
    at[length++] = (unsigned char)number;
    out->length += length;
}

/* Maps integers near 0, positive or negative, to small numbers, which need few bytes. */
static uint64_t fold_sign(int64_t integer)
{
    return (uint64_t)integer << 1 ^ (integer < 0 ? UINT64_MAX : 0);
}

static int64_t unfold_sign(uint64_t number)
{
    return (int64_t)(number >> 1 ^ (number & 1 ? UINT64_MAX : 0));
}

static void write_value(const struct value *value, unsigned mark, struct buffer *out)
{
    const unsigned char marks[] = {(unsigned char)mark, (unsigned char)(mark >> 8)};
    buffer_append(out, marks, sizeof marks);
    switch ((enum form)(mark & ((1u << FORM_BITS) - 1))) {
    case FORM_INTEGER:
        write_number(fold_sign(value->integer), out);
        break;
    case FORM_REAL:
        buffer_append(out, &value->real, sizeof value->real);
        break;
    case FORM_BYTES:
        write_number(value->length, out);
        buffer_append(out, value->text, value->length);
        break;
    }
}

void state_write(const struct qso *qso, enum state_extent extent, struct buffer *out)
{
    const unsigned char first = (unsigned char)extent;
    out->length = 0;
    buffer_append(out, &first, 1);
    for (int i = 0; i < FIELD_COUNT; i++) {
        const struct value *value = &qso->values[i];
        bool is_false = fields[i].kind == KIND_BOOLEAN && !value->integer;
        if (covers(extent, &fields[i], i) && value->state == VALUE_PRESENT && !is_false)
            write_value(value, mark_of(&fields[i]), out);
    }
}

/* Removes bytes from the front of the text, and returns them. Returns NULL if too few bytes are
 * left. */
static const char *take(struct text *rest, uint64_t length)
{
    const char *taken = rest->bytes;
    if (rest->length < length)
        return NULL;
    *rest = (struct text){rest->bytes + length, rest->length - (size_t)length};
    return taken;
}

static bool take_number(struct text *rest, uint64_t *number)
{
    *number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const char *byte = take(rest, 1);
        if (!byte)
            return false;
        *number |= (uint64_t)(*byte & 0x7f) << shift;
        if (!(*byte & 0x80))
            return true;
    }
    return false;
}

static bool take_value(struct text *rest, enum form form, struct arena *arena, struct value *value)
{
    uint64_t number = 0;
    const char *bytes = NULL;
    value->state = VALUE_PRESENT;
    switch (form) {
    case FORM_INTEGER:
        if (!take_number(rest, &number))
            return false;
        value->integer = unfold_sign(number);
        return true;
    case FORM_REAL:
        bytes = take(rest, sizeof value->real);
        if (bytes)
            memcpy(&value->real, bytes, sizeof value->real);
        return bytes != NULL;
    case FORM_BYTES:
        bytes = take_number(rest, &number) ? take(rest, number) : NULL;
        if (bytes) {
            value->text = arena_copy(arena, bytes, (size_t)number);
            value->length = (uint32_t)number;
        }
        return bytes != NULL;
    }
    return false;
}

static int find_marked(enum state_extent extent, unsigned mark)
{
    for (int i = 0; i < FIELD_COUNT; i++)
        if (covers(extent, &fields[i], i) && mark_of(&fields[i]) == mark)
            return i;
    return -1;
}

static void clear(enum state_extent extent, struct qso *qso)
{
    for (int i = 0; i < FIELD_COUNT; i++)
        if (covers(extent, &fields[i], i)) {
            bool is_boolean = fields[i].kind == KIND_BOOLEAN;
            qso->values[i] = (struct value){.state = is_boolean ? VALUE_PRESENT : VALUE_NULL};
        }
}

bool state_read(struct text state, struct arena *arena, struct qso *qso)
{
    const char *first = take(&state, 1);
    if (!first || (*first != STATE_CHANGE && *first != STATE_WHOLE))
        return false;
    enum state_extent extent = (enum state_extent) * first;
    clear(extent, qso);
    while (state.length > 0) {
        struct value value = {0};
        const unsigned char *marks = (const unsigned char *)take(&state, 2);
        unsigned mark = marks ? marks[0] | (unsigned)marks[1] << 8 : 0;
        if (!marks || !take_value(&state, (enum form)(mark & 3), arena, &value))
            return false;
        int field = find_marked(extent, mark);
        if (field >= 0)
            qso->values[field] = value;
    }
    return true;
}

const char *state_find_equal_marks(void)
{
    for (int i = 0; i < FIELD_COUNT; i++)
        for (int other = 0; other < i && fields[i].column; other++)
            if (fields[other].column && mark_of(&fields[i]) == mark_of(&fields[other]))
                return fields[i].name;
    return NULL;
}
