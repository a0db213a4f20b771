/* Sorts a record's fields by whether a QSO has a place for them (schema/fields.json), and writes
 * records. The rows of mapping.c interpret and check values; reader.c reads records. */
#include "adif/record.h"

#include <ctype.h>
#include <string.h>

#include "base/datetime.h"
#include "base/format.h"
#include "base/text_utf8.h"
#include "qso/fields.h"

const struct slot_facts slot_table[SLOT_COUNT] = {
#include "schema/adif_names.inc"
};

static int find_extra(struct text name)
{
    int field = 0;
    while (field < FIELD_COUNT && !text_equals_ignoring_case(name, fields[field].adif_name))
        field++;
    return field;
}

static enum slot find_standard(struct text name)
{
    for (enum slot slot = 0; slot < SLOT_COUNT; slot++)
        if (toupper((unsigned char)name.bytes[0]) == slot_table[slot].name[0] &&
            text_equals_ignoring_case(name, slot_table[slot].name))
            return slot;
    return SLOT_NONE;
}

bool slots_is_free_text_name(struct text name)
{
    enum slot slot = find_standard(name);
    return slot != SLOT_NONE && slot_table[slot].is_free_text;
}

/* If a field is repeated, its last non-empty value counts. */
static void put(const struct record_field **slot, const struct record_field *field)
{
    if (!*slot || text_trim(field->value).length > 0)
        *slot = field;
}

void slots_sort(const struct record *record, struct arena *arena, struct slots *out)
{
    memset(out, 0, sizeof *out);
    out->rest = arena_allocate(arena, record->count * sizeof(struct record_field *));
    for (size_t i = 0; i < record->count; i++) {
        const struct record_field *field = &record->fields[i];
        enum slot slot = find_standard(field->name);
        int extra = slot == SLOT_NONE ? find_extra(field->name) : FIELD_COUNT;
        if (slot != SLOT_NONE)
            put(&out->standard[slot], field);
        else if (extra < FIELD_COUNT)
            put(&out->extra[extra], field);
        else
            out->rest[out->rest_count++] = field;
    }
}

void encoding_percent_encode(struct text text, struct buffer *buffer)
{
    for (size_t i = 0; i < text.length; i++) {
        unsigned char byte = (unsigned char)text.bytes[i];
        if (byte < ' ' || byte > '~' || byte == '%' || byte == '<')
            buffer_print(buffer, "%%%02X", byte);
        else
            buffer_append(buffer, text.bytes + i, 1);
    }
}

struct text encoding_take(struct buffer *buffer, struct arena *arena)
{
    struct text text = {NULL, buffer->length};
    if (buffer->length > 0)
        text.bytes = arena_copy(arena, buffer->bytes, buffer->length);
    buffer_free(buffer);
    return text;
}

bool encoding_is_ascii(struct text text)
{
    return text_count_leading(text, isascii) == text.length;
}

/* Writes names, lengths and values as the bytes of a header, a field or the end of a record.
 * Lengths count bytes of UTF-8, as in other programs. mapping.c chooses the fields of a record; the
 * caller decides where the bytes go. */

static void append_field(struct buffer *out, struct text name, struct text value)
{
    buffer_append_string(out, "<");
    buffer_append(out, name.bytes, name.length);
    buffer_append_string(out, ":");
    buffer_append_integer(out, (int64_t)value.length);
    buffer_append_string(out, ">");
    buffer_append(out, value.bytes, value.length);
    /* A reader that counts the length in characters then reads spaces, not the next field. */
    for (size_t i = text_count_code_points(value); i < value.length; i++)
        buffer_append(out, " ", 1);
}

void writer_append_header(struct buffer *out, struct text callsign, const char *version,
                          int64_t now_ms, int64_t records)
{
    char iso[DATETIME_TEXT_LENGTH], created[sizeof "YYYYMMDD HHMMSS"], count[24];
    datetime_format(now_ms, iso);
    format_cut(created, sizeof created, "%.4s%.2s%.2s %.2s%.2s%.2s", iso, iso + 5, iso + 8,
               iso + 11, iso + 14, iso + 17);
    buffer_append_string(out, "QSOsync export of the log of ");
    for (size_t i = 0; i < callsign.length; i++)
        buffer_append(out, callsign.bytes[i] == '<' ? "(" : callsign.bytes + i, 1);
    buffer_append_string(out, "\r\n");
    append_field(out, text_of("ADIF_VER"), text_of("3.1.6"));
    append_field(out, text_of("PROGRAMID"), text_of("QSOsync"));
    append_field(out, text_of("PROGRAMVERSION"), text_of(version));
    append_field(out, text_of("CREATED_TIMESTAMP"), text_of(created));
    append_field(out, text_of(WRITER_CALLSIGN_FIELD), callsign);
    const size_t length = format_cut(count, sizeof count, "%lld", (long long)records);
    if (records >= 0)
        append_field(out, text_of(WRITER_RECORDS_FIELD), (struct text){count, length});
    buffer_append_string(out, "<EOH>\r\n");
}

void writer_append_record(struct buffer *out, const struct record *record)
{
    for (size_t i = 0; i < record->count; i++)
        append_field(out, record->fields[i].name, record->fields[i].value);
    buffer_append_string(out, "<EOR>\r\n");
}

void writer_append_end(struct buffer *out, int64_t records)
{
    buffer_append_string(out, "End of the log, records: ");
    buffer_append_integer(out, records);
    buffer_append_string(out, "\r\n");
}
