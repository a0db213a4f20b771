/* Writes names, lengths and values as the bytes of a header, a field or the end of a record.
 * Lengths count bytes of UTF-8, as in most other programs. mapping.c chooses a record's fields; the
 * caller decides where the bytes are written. */
#include "adif/writer.h"

#include "adif/record.h"
#include "base/datetime.h"
#include "base/format.h"
#include "base/text_utf8.h"
#include "qso/fields.h"

static void append_field(struct buffer *out, struct text name, struct text value)
{
    buffer_append_string(out, "<");
    buffer_append(out, name.bytes, name.length);
    buffer_append_string(out, ":");
    buffer_append_integer(out, (int64_t)value.length);
    buffer_append_string(out, ">");
    buffer_append(out, value.bytes, value.length);
    /* Adds spaces, so that a reader that counts the length in characters reads spaces instead of
     * the next field. */
    for (size_t i = text_count_code_points(value); i < value.length; i++)
        buffer_append(out, " ", 1);
}

void writer_format_created(int64_t now_ms, char created[WRITER_CREATED_SIZE])
{
    char iso[DATETIME_TEXT_LENGTH];
    datetime_format(now_ms, iso);
    format_cut(created, WRITER_CREATED_SIZE, "%.4s%.2s%.2s %.2s%.2s%.2s", iso, iso + 5, iso + 8,
               iso + 11, iso + 14, iso + 17);
}

void writer_append_header(struct buffer *out, struct text callsign, const char *version,
                          int64_t now_ms, int64_t records)
{
    char created[WRITER_CREATED_SIZE], count[24];
    writer_format_created(now_ms, created);
    buffer_append_string(out, "QSOsync export of the log of ");
    for (size_t i = 0; i < callsign.length; i++)
        buffer_append(out, callsign.bytes[i] == '<' ? "(" : callsign.bytes + i, 1);
    buffer_append_string(out, "\r\n");
    append_field(out, text_of("ADIF_VER"), text_of(WRITER_ADIF_VERSION));
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
