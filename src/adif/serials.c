/* Joins a report and a serial number, and splits them again. Both are joined only if they can be
 * split in the same way. The client kit has the same rule (qsosync_serials.py); the tests of both
 * read t/data/serials.tsv. The field table limits the length of a report. */
#include "adif/serials.h"

#include <ctype.h>
#include <string.h>

#include "adif/from_fields.h"
#include "adif/rows.h"
#include "adif/to_fields.h"
#include "base/arena.h"
#include "base/text.h"
#include "qso/qso.h"
#include "qso/values.h"

/* Returns whether the text is a report, such as 59, 599, 5NN or -12: at least two characters,
 * beginning with a digit or a sign, without spaces, control characters or "<". */
static bool is_report(struct text text)
{
    for (size_t i = 0; i < text.length; i++)
        if ((unsigned char)text.bytes[i] <= ' ' || text.bytes[i] == '<' || text.bytes[i] == 0x7f)
            return false;
    return text.length >= 2 &&
           (isdigit((unsigned char)text.bytes[0]) || strchr("+-", text.bytes[0]));
}

/* Returns whether the text is a serial. A serial contains letters, digits and, after the first
 * character, slashes and hyphens. At least one character is a digit, and not all characters are
 * zeros. */
static bool is_serial(struct text text)
{
    bool has_digit = false, is_zero = true;
    for (size_t i = 0; i < text.length; i++) {
        unsigned char byte = (unsigned char)text.bytes[i];
        if (!isalnum(byte) && (i == 0 || (byte != '/' && byte != '-')))
            return false;
        has_digit = has_digit || isdigit(byte);
        is_zero = is_zero && byte == '0';
    }
    return has_digit && !is_zero;
}

/* Splits a report with a serial into the report and the serial, which are views into the text.
 * Returns false if the text is not a report with a serial. */
static bool split(struct text joined, struct text *report, struct text *serial)
{
    *report = text_split_next(&joined, ' ');
    *serial = joined;
    return is_report(*report) && is_serial(*serial);
}

bool serials_adds(struct text joined, struct text report)
{
    struct text alone, serial;
    return split(joined, &alone, &serial) && text_equals(alone, report);
}

static enum slot number_slot(const struct row *row)
{
    return row->slot == SLOT_RST_SENT ? SLOT_STX : SLOT_SRX;
}

static enum slot string_slot(const struct row *row)
{
    return row->slot == SLOT_RST_SENT ? SLOT_STX_STRING : SLOT_SRX_STRING;
}

static struct text without_zeros(struct text digits)
{
    while (digits.length > 1 && digits.bytes[0] == '0')
        digits = (struct text){digits.bytes + 1, digits.length - 1};
    return digits;
}

/* Returns the number (STX or SRX), in the spelling of the string (STX_STRING or SRX_STRING) if both
 * are equal. If the number is not a serial, returns the string. *from receives the field that was
 * used. */
static struct text take_serial(struct reading *reading, const struct row *row, enum slot *from)
{
    struct text number = from_fields_take(reading, number_slot(row));
    struct text string = from_fields_take(reading, string_slot(row));
    bool are_equal = string.length > 0 && text_equals(without_zeros(number), without_zeros(string));
    *from = is_serial(number) && !are_equal ? number_slot(row) : string_slot(row);
    return *from == number_slot(row) ? number : string;
}

void serials_read(struct reading *reading, const struct row *row)
{
    enum slot from;
    struct value *value = &reading->out->qso.values[row->field];
    struct text report = from_fields_take(reading, row->slot);
    struct text serial = take_serial(reading, row, &from);
    struct text joined = {0}; /* empty unless splitting the text would return the same parts */
    if (is_report(report) && is_serial(serial))
        joined = text_of(arena_print(reading->arena, "%.*s %.*s", (int)report.length, report.bytes,
                                     (int)serial.length, serial.bytes));
    from_fields_keep_text(reading, row, row->slot, report);
    if (joined.length == 0 && serial.length > 0)
        from_fields_report(reading, NOTICE_NO_FIELD, reading->slots.standard[from], NULL);
    if (joined.length == 0 || value->state != VALUE_PRESENT)
        return;
    if (values_parse(&fields[row->field], joined, reading->arena, value))
        from_fields_leave_out(reading, from, "makes the report too long");
}

void serials_write(struct writing *writing, const struct row *row)
{
    struct text joined = qso_text(writing->qso, row->field), report, serial;
    if (!split(joined, &report, &serial)) {
        to_fields_text(writing, row);
        return;
    }
    const bool is_number = text_count_leading(serial, isdigit) == serial.length;
    to_fields_add(writing, row->slot, report);
    to_fields_add(writing, is_number ? number_slot(row) : string_slot(row), serial);
}
