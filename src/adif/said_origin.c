/* Finds the ids in other programs' fields, and the end of a contact in TIME_OFF and
 * QSO_DATE_OFF. */
#include "adif/said_origin.h"

#include <ctype.h>
#include <string.h>

#include "adif/record.h"
#include "adif/rows.h"
#include "base/arena.h"
#include "base/datetime.h"
#include "base/text.h"

#define PREFIX "APP_"
#define UUID_DIGITS 32

/* Endings of the names of fields that contain a program's id for a QSO. Examples of such names are
 * APP_N1MM_ID, APP_QRZLOG_LOGID and APP_WAVELOG_QSO_ID. */
static const char *const endings[] = {"_QSO_ID", "_QSOID", "_LOGID", "_UUID", "_GUID", "_ID"};

static bool is_printable(struct text text)
{
    for (size_t i = 0; i < text.length; i++)
        if (text.bytes[i] < ' ' || text.bytes[i] > '~')
            return false;
    return true;
}

/* Reads the hexadecimal digits of a UUID in any format. Returns false for any other text. */
static bool take_uuid(struct text text, char digits[UUID_DIGITS])
{
    size_t count = 0;
    for (size_t i = 0; i < text.length; i++) {
        const char character = text.bytes[i];
        if (character == '-' || character == '{' || character == '}')
            continue;
        if (!isxdigit((unsigned char)character) || count == UUID_DIGITS)
            return false;
        digits[count++] = (char)tolower((unsigned char)character);
    }
    return count == UUID_DIGITS;
}

static int is_zero(int byte)
{
    return byte == '0';
}

struct text said_make_program(struct text name, struct arena *arena)
{
    char *upper = arena_allocate(arena, CONTACT_PROGRAM_MAX);
    size_t length = 0;
    for (size_t i = 0; i < name.length && length < CONTACT_PROGRAM_MAX; i++)
        if (name.bytes[i] > ' ' && name.bytes[i] <= '~')
            upper[length++] = (char)toupper((unsigned char)name.bytes[i]);
    return length > 0 ? (struct text){upper, length} : (struct text){0};
}

bool said_make_id(struct text program, struct text id, struct arena *arena, struct contact_id *out)
{
    char digits[UUID_DIGITS];
    id = text_trim(id);
    if (take_uuid(id, digits))
        id = (struct text){digits, UUID_DIGITS};
    if (id.length > CONTACT_ID_MAX || !is_printable(id) ||
        text_count_leading(id, is_zero) == id.length)
        return false;
    *out = (struct contact_id){said_make_program(program, arena),
                               {arena_copy(arena, id.bytes, id.length), id.length}};
    return out->program.length > 0;
}

/* Returns the program's name from the name of a field that contains the program's id. Returns no
 * text for any other field, and for the names of PoLo and QSOsync. */
static struct text find_program(struct text name)
{
    if (!text_begins_ignoring_case(name, PREFIX))
        return (struct text){0};
    const struct text rest = text_skip(name, strlen(PREFIX));
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t size = strlen(endings[i]);
        if (rest.length <= size)
            continue;
        const struct text program = {rest.bytes, rest.length - size};
        if (!text_equals_ignoring_case(text_skip(rest, program.length), endings[i]))
            continue;
        if (memchr(program.bytes, '_', program.length) ||
            text_is_one_of(program, CONTACT_POLO " " CONTACT_QSOSYNC))
            break;
        return program;
    }
    return (struct text){0};
}

static bool are_digits(struct text text, size_t most)
{
    return text.length <= most && text_count_leading(text, isdigit) == text.length;
}

/* Returns the end of the contact, or 0 if the end is unknown. If the end date is missing, the
 * contact is assumed to have ended within a day. */
static int64_t read_end(struct text date, struct text time, int64_t start_ms, struct arena *arena)
{
    char start[DATETIME_TEXT_LENGTH];
    int64_t ms;
    if ((time.length != 4 && time.length != 6) || !are_digits(time, 6) || !are_digits(date, 8))
        return 0;
    const bool has_date = date.length == 8;
    datetime_format(start_ms, start);
    const char *iso =
        arena_print(arena, "%.4s-%.2s-%.2sT%.2s:%.2s:%.2sZ", has_date ? date.bytes : start,
                    has_date ? date.bytes + 4 : start + 5, has_date ? date.bytes + 6 : start + 8,
                    time.bytes, time.bytes + 2, time.length == 6 ? time.bytes + 4 : "00");
    if (!datetime_parse(text_of(iso), &ms))
        return 0;
    return ms < start_ms && !has_date ? ms + DATETIME_DAY_MS : ms;
}

void said_read_origin(struct reading *reading)
{
    struct mapped *out = reading->out;
    struct text date = {0}, time = {0};
    for (size_t i = 0; i < reading->slots.rest_count; i++) {
        const struct record_field *field = reading->slots.rest[i];
        const struct text program = find_program(field->name);
        if (program.bytes && out->id_count < MAPPED_IDS_MAX)
            out->id_count +=
                said_make_id(program, field->value, reading->arena, &out->ids[out->id_count]);
        else if (text_equals_ignoring_case(field->name, "TIME_OFF"))
            time = text_trim(field->value);
        else if (text_equals_ignoring_case(field->name, "QSO_DATE_OFF"))
            date = text_trim(field->value);
    }
    if (time.length > 0)
        out->end_ms = read_end(date, time, out->qso.values[FIELD_QSO_AT].integer, reading->arena);
}
