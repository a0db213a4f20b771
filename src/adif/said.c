/* Reads the ids that a program gives a record, and makes digests of its values. A digest is a hash
 * of the field's name and value, so fields may be added and moved. src/transfer/matching.c finds
 * the QSO of a record and the values that are news. */
#include "adif/said.h"

#include <ctype.h>
#include <string.h>

#include "base/datetime.h"
#include "base/text_hash.h"
#include "qso/content.h"
#include "qso/match.h"

#define PREFIX "APP_"
#define UUID_DIGITS 32

/* -- Ids --------------------------------------------------------------------------------------- */

/* Endings of field names that hold a program's id of a QSO: APP_N1MM_ID, APP_QRZLOG_LOGID,
 * APP_WAVELOG_QSO_ID. */
static const char *const endings[] = {"_QSO_ID", "_QSOID", "_LOGID", "_UUID", "_GUID", "_ID"};

static bool is_printable(struct text text)
{
    for (size_t i = 0; i < text.length; i++)
        if (text.bytes[i] < ' ' || text.bytes[i] > '~')
            return false;
    return true;
}

/* The hexadecimal digits of a UUID in any of its forms; false: not a UUID. */
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

/* The program in the name of a field that holds an id; otherwise no text. */
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

/* -- The end ----------------------------------------------------------------------------------- */

static bool are_digits(struct text text, size_t most)
{
    return text.length <= most && text_count_leading(text, isdigit) == text.length;
}

/* Without an end date, the contact ended within a day. */
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

/* -- Digests ----------------------------------------------------------------------------------- */

static uint64_t hash_text(uint64_t hash, struct text text)
{
    const unsigned char end = 0;
    return text_hash(text_hash(hash, text.bytes, text.length), &end, 1);
}

/* The result is the same on every machine. */
static uint64_t hash_integer(uint64_t hash, int64_t integer)
{
    unsigned char bytes[8];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)((uint64_t)integer >> (8 * i));
    return text_hash(hash, bytes, sizeof bytes);
}

int64_t said_mark(const struct mapped *record, const struct contact *contact)
{
    uint64_t hash = hash_text(TEXT_HASH_START, match_text(&contact->station));
    hash = hash_text(hash, match_text(&contact->worked));
    const struct text none = {0};
    hash = hash_text(hash, contact->worked.length > 0 ? none : contact->name);
    hash = hash_integer(hash, contact->band);
    hash = hash_integer(hash, contact->frequency_khz);
    hash = hash_integer(hash, contact->channel);
    hash = hash_integer(hash, qso_integer_or(&record->qso, FIELD_MODE, MATCH_NO_MODE));
    hash = hash_integer(hash, contact->is_heard);
    return (int64_t)((hash ^ hash >> 48) & ((UINT64_C(1) << 48) - 1));
}

static uint32_t fold(uint64_t hash)
{
    const uint32_t folded = (uint32_t)(hash >> 32 ^ hash);
    return folded ? folded : 1;
}

static uint32_t digest_text(const char *name, struct text text)
{
    return fold(hash_text(hash_text(TEXT_HASH_START, text_of(name)), text));
}

static uint32_t digest_value(const struct field *field, const struct value *value)
{
    int64_t integer = value->integer;
    if (fields_has_text(field))
        return digest_text(field->column, (struct text){value->text, value->length});
    if (field->kind == KIND_REAL)
        memcpy(&integer, &value->real, sizeof integer);
    return fold(hash_integer(hash_text(TEXT_HASH_START, text_of(field->column)), integer));
}

void said_read(const struct mapped *record, struct said *out)
{
    static const char *const parts[NOTES_PART_COUNT] = {"name", "qth", "mode name", "body"};
    memset(out, 0, sizeof *out);
    for (int i = 0; i < FIELD_COUNT; i++) {
        const struct value *value = &record->qso.values[i];
        if (content_has(&fields[i]) && i != FIELD_CLIENT_ID && i != FIELD_NOTES &&
            value->state == VALUE_PRESENT)
            out->digests[i] = digest_value(&fields[i], value);
    }
    for (int part = 0; part < NOTES_PART_COUNT && !record->whole_notes; part++)
        if (record->notes.parts[part].bytes)
            out->digests[SAID_NOTES + part] = digest_text(parts[part], record->notes.parts[part]);
    if (record->whole_notes && record->qso.values[FIELD_NOTES].state == VALUE_PRESENT)
        out->digests[SAID_NOTES + NOTES_BODY] =
            digest_text("notes", qso_text(&record->qso, FIELD_NOTES));
    if (record->leftovers.length > 0)
        out->digests[SAID_LEFTOVERS] = digest_text("leftovers", record->leftovers);
    for (size_t i = 0; i < record->id_count; i++)
        out->digests[(size_t)SAID_IDS + i] =
            fold(hash_text(hash_text(TEXT_HASH_START, record->ids[i].program), record->ids[i].id));
}

static void write_digest(uint32_t digest, unsigned char out[SAID_DIGEST_BYTES])
{
    for (int byte = 0; byte < SAID_DIGEST_BYTES; byte++)
        out[byte] = (unsigned char)(digest >> (8 * byte));
}

static uint32_t read_digest(struct text stored, size_t at)
{
    uint32_t digest = 0;
    for (int byte = 0; byte < SAID_DIGEST_BYTES; byte++)
        digest |= (uint32_t)(unsigned char)stored.bytes[at + (size_t)byte] << (8 * byte);
    return digest;
}

struct text said_write(const struct said *said, unsigned char out[SAID_BYTES_MAX])
{
    size_t length = 0;
    for (size_t i = 0; i < SAID_COUNT; i++) {
        if (!said->digests[i])
            continue;
        write_digest(said->digests[i], out + length);
        length += SAID_DIGEST_BYTES;
    }
    return (struct text){(const char *)out, length};
}

bool said_holds(struct text stored, uint32_t digest)
{
    for (size_t at = 0; at + SAID_DIGEST_BYTES <= stored.length; at += SAID_DIGEST_BYTES)
        if (read_digest(stored, at) == digest)
            return true;
    return false;
}

uint32_t said_in_vain(uint32_t digest)
{
    return ~digest;
}

bool said_was_sent(struct text stored, uint32_t digest)
{
    return said_holds(stored, digest) || said_holds(stored, said_in_vain(digest));
}

bool said_withdraw(struct text stored, struct text before, const struct said *now,
                   unsigned char out[SAID_BYTES_MAX])
{
    unsigned char bytes[SAID_BYTES_MAX];
    const struct text said = said_write(now, bytes);
    bool is_any = false;
    for (size_t at = 0; at + SAID_DIGEST_BYTES <= stored.length; at += SAID_DIGEST_BYTES) {
        const uint32_t digest = read_digest(stored, at);
        const bool is_withdrawn = said_holds(before, digest) && !said_holds(said, digest);
        write_digest(is_withdrawn ? said_in_vain(digest) : digest, out + at);
        is_any = is_any || is_withdrawn;
    }
    return is_any;
}
