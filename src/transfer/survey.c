/* Reads a file without saving anything. If neither the header nor the _INTL fields show the
 * encoding, the caller chooses an encoding. adif/encoding.c converts values. */
#include "transfer/survey.h"

#include <ctype.h>
#include <string.h>

#include "adif/encoding.h"
#include "adif/mapping.h"
#include "adif/reader.h"
#include "adif/record.h"
#include "adif/rows.h"
#include "adif/standard.h"
#include "base/text_utf8.h"

#define SAMPLE_CHARACTERS 30
#define NAME_BYTES 40 /* maximum length of an encoding's name */

struct walk {
    struct text member;
    struct arena *arena;
    struct survey *out;
    /* NULL: the encoding does not fit, or this machine does not support it */
    struct encoding *candidates[ENCODING_CANDIDATES];
    /* whether each candidate agrees with the _INTL fields; has_pair: at least one field has been
     * compared */
    bool agrees[ENCODING_CANDIDATES];
    bool has_pair;
};

/* Opens the encoding with this name, unless the name means UTF-8 or an encoding is already open. */
static void take_name(struct walk *walk, struct text name)
{
    name = text_trim(name);
    if (walk->out->encoding || name.length == 0 || name.length >= NAME_BYTES ||
        text_is_one_of(name, "UTF-8 UTF8"))
        return;
    walk->out->encoding =
        encoding_open(arena_copy(walk->arena, name.bytes, name.length), walk->arena);
}

static int is_in_name(int byte)
{
    return isalnum(byte) || byte == '-' || byte == '_';
}

static int is_between(int byte)
{
    return isspace(byte) || (byte && strchr("=:\"'", byte));
}

/* Opens the encoding that a text such as "Encoding: windows-1251" names. */
static void read_words(struct walk *walk, struct text text)
{
    static const char *const words[] = {"encoding", "charset", "codepage"};
    for (; text.length > 0; text = text_skip(text, 1))
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            if (!text_begins_ignoring_case(text, words[i]))
                continue;
            struct text rest = text_skip(text, strlen(words[i]));
            const size_t between = text_count_leading(rest, is_between);
            rest = text_skip(rest, between);
            if (between > 0)
                take_name(walk, (struct text){rest.bytes, text_count_leading(rest, is_in_name)});
        }
}

static bool ends_with(struct text text, const char *end)
{
    const size_t length = strlen(end);
    return text.length >= length &&
           text_equals_ignoring_case(text_skip(text, text.length - length), end);
}

static void read_header(struct walk *walk, const struct record *header, struct text text)
{
    static const char *const names[] = {"ENCODING", "CHARSET", "CODEPAGE"};
    for (size_t i = 0; i < header->count; i++)
        for (size_t j = 0; j < sizeof names / sizeof *names; j++)
            if (ends_with(header->fields[i].name, names[j]))
                take_name(walk, header->fields[i].value);
    read_words(walk, text);
}

static bool is_odd(struct text value)
{
    return !text_is_utf8(value.bytes, value.length);
}

bool survey_is_qso(struct text member, const struct record *record, struct arena *arena,
                   struct mapped *mapped)
{
    struct record copy = *record;
    const struct mapped_source source = {.member = member};
    copy.fields = arena_allocate(arena, record->count * sizeof *copy.fields);
    memcpy(copy.fields, record->fields, record->count * sizeof *copy.fields);
    encoding_read_record(NULL, &copy, arena);
    return mapping_read(&copy, &source, arena, mapped) == MAPPING_QSO;
}

/* Returns the value of the _INTL field that belongs to this field. Returns no text if the record
 * does not have an _INTL field, or if its value is not UTF-8. */
static struct text find_intl(const struct record *record, struct text name)
{
    for (size_t i = 0; i < record->count; i++) {
        const struct record_field *field = &record->fields[i];
        if (field->name.length == name.length + 5 && ends_with(field->name, "_INTL") &&
            strncasecmp(field->name.bytes, name.bytes, name.length) == 0 && !is_odd(field->value))
            return text_trim(field->value);
    }
    return (struct text){0};
}

/* Copies as many characters as can be shown on a line. */
static const char *shorten(struct text text, struct arena *arena)
{
    struct text rest = text_trim(text);
    const char *begin = rest.bytes;
    for (int i = 0; i < SAMPLE_CHARACTERS && rest.length > 0; i++)
        rest = text_skip(rest, text_first_length(rest));
    return arena_copy(arena, begin, (size_t)(rest.bytes - begin));
}

static void drop_candidate(struct walk *walk, size_t i)
{
    encoding_close(walk->candidates[i]);
    walk->candidates[i] = NULL;
    walk->out->readings[i] = NULL;
}

static void look_at_value(struct walk *walk, const struct record *record,
                          const struct record_field *field, struct arena *arena)
{
    const struct text intl = find_intl(record, field->name);
    for (size_t i = 0; i < ENCODING_CANDIDATES; i++) {
        struct text text;
        if (!walk->candidates[i])
            continue;
        if (!encoding_read(walk->candidates[i], field->value, arena, &text)) {
            drop_candidate(walk, i);
            continue;
        }
        if (!walk->out->readings[i])
            walk->out->readings[i] = shorten(text, walk->arena);
        if (intl.length > 0)
            walk->agrees[i] =
                (walk->agrees[i] || !walk->has_pair) && text_equals(text_trim(text), intl);
    }
    walk->has_pair = walk->has_pair || intl.length > 0;
    walk->out->is_odd = true;
}

static void look_at_record(struct walk *walk, const struct record *record, struct arena *arena)
{
    struct mapped mapped;
    bool counts = false;
    for (size_t i = 0; i < record->count; i++) {
        if (!is_odd(record->fields[i].value))
            continue;
        counts = counts || survey_is_qso(walk->member, record, arena, &mapped);
        if (!counts)
            return;
        look_at_value(walk, record, &record->fields[i], arena);
    }
}

/* If the header does not name an encoding, uses the encoding that agrees with the _INTL fields. */
static void end(struct walk *walk)
{
    for (size_t i = 0; i < ENCODING_CANDIDATES; i++) {
        if (!walk->candidates[i])
            continue;
        if (!walk->out->encoding && walk->agrees[i])
            walk->out->encoding = walk->candidates[i];
        else
            encoding_close(walk->candidates[i]);
    }
}

void survey_file(struct text file, struct text member, struct arena *arena, struct survey *out)
{
    struct walk walk = {.member = member, .arena = arena, .out = out};
    struct arena own = {0}, of_record = {0};
    struct record record;
    struct reader_fault fault;
    *out = (struct survey){0};
    if (text_is_utf8(file.bytes, file.length))
        return;
    for (size_t i = 0; i < ENCODING_CANDIDATES; i++)
        walk.candidates[i] = encoding_open(encoding_candidates[i], arena);
    struct reader *reader = reader_create(file, &own);
    bool is_first = true;
    for (enum reader_event event; (event = reader_next(reader, &record, &fault)) != READER_END;) {
        if (event == READER_HEADER && is_first)
            read_header(&walk, &record,
                        (struct text){reader_text(reader).bytes, reader_position(reader)});
        else if (event == READER_RECORD)
            look_at_record(&walk, &record, &of_record);
        is_first = false;
        arena_reset(&of_record);
    }
    end(&walk);
    arena_free(&of_record);
    arena_free(&own);
}
