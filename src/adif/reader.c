/* Finds the fields of ADIF records by their lengths, and decides what to do if a length is
 * wrong.
 *
 * Text between fields is a comment. Before the first record, text that ends with <EOH> is a header.
 * mapping.c interprets the fields. */
#include "adif/reader.h"

#include <string.h>
#include <strings.h>

#include "adif/adx.h"
#include "adif/lengths.h"
#include "adif/record.h"
#include "adif/slots.h"
#include "adif/tag.h"
#include "adif/wsjtx.h"
#include "base/arena.h"
#include "base/table.h"
#include "base/text.h"

#define HEADERS_MAX 4  /* maximum number of wrong headers that are abandoned one at a time */
#define NAMES_MAX 1000 /* maximum number of fields before a search ahead */
#define FAILED_MAX 8   /* maximum number of failed searches ahead to one position */

/* The result of the last search for a mark. Because the result is kept, the work grows with the
 * file and not with the number of searches. */
struct search_cache {
    size_t from;
    struct mark mark; /* the first mark that begins at or after `from` */
};

/* The fields that a record contains only once. If such a field is repeated, the end of a record is
 * missing. */
static const char *const once[] = {"CALL", "QSO_DATE", "TIME_ON"};

#define ONCE_COUNT (sizeof once / sizeof *once)

struct reader {
    struct text file;
    struct arena *arena;
    size_t at;    /* position up to which the file has been read */
    size_t begin; /* position where the current record begins */
    size_t counted;
    int64_t line;   /* line number at the position `counted` */
    int64_t number; /* number of the last record */
    struct search_cache record_ends, header_ends;
    size_t ahead_end;   /* end of the last search ahead that failed */
    int ahead_failures; /* number of failed searches ahead that ended at ahead_end */
    int headers;        /* number of headers abandoned since the last record or fault */
    struct adx_fault adx_fault;
    struct record_field *fields;
    size_t count, capacity;
    /* for each field in `once`: number of the first occurrence with a value, from 1; 0: not seen so
     * far */
    size_t seen[ONCE_COUNT];
    /* number of a repeated field with another value, from 1; 0: no such field */
    size_t contradiction;
    /* The next event, and the caller's variables for the event's data. */
    enum reader_event event;
    struct record *record;
    struct reader_fault *fault;
};

struct reader *reader_create(struct text file, struct arena *arena)
{
    static const struct search_cache nowhere = {.from = 1};
    struct reader *reader = arena_allocate(arena, sizeof *reader);
    *reader = (struct reader){.file = file.length > 0 ? file : text_of(""),
                              .arena = arena,
                              .line = 1,
                              .record_ends = nowhere,
                              .header_ends = nowhere};
    if (adx_is(file))
        reader->file = adx_to_adi(file, arena, &reader->adx_fault);
    else if (wsjtx_is(file))
        reader->file = wsjtx_to_adi(file, arena);
    return reader;
}

struct text reader_text(const struct reader *reader)
{
    return reader->file;
}

size_t reader_position(const struct reader *reader)
{
    return reader->at;
}

static bool are_alike(struct text a, struct text b)
{
    return a.length == b.length && strncasecmp(a.bytes, b.bytes, a.length) == 0;
}

/* Returns the first mark that begins at or after the position `from`. */
static const struct mark *find_mark(const struct reader *reader, struct search_cache *known,
                                    const char *name, size_t from)
{
    if (from < known->from || from > known->mark.begin)
        *known = (struct search_cache){from, tag_find_mark(reader->file, from, name)};
    return &known->mark;
}

static const struct mark *find_record_end(struct reader *reader, size_t from)
{
    return find_mark(reader, &reader->record_ends, MARK_OF_RECORD, from);
}

/* Returns the line number of a position. Lines end with LF, CR LF or CR. Callers must pass
 * positions in ascending order. */
static int64_t line_of(struct reader *reader, size_t at)
{
    const struct text file = reader->file;
    for (size_t i = reader->counted; i < at; i++)
        reader->line +=
            file.bytes[i] == '\n' ||
            (file.bytes[i] == '\r' && (i + 1 == file.length || file.bytes[i + 1] != '\n'));
    reader->counted = at;
    return reader->line;
}

static struct text to_upper(struct text name, char upper[TAG_NAME_MAX])
{
    text_to_upper(name, upper);
    return (struct text){upper, name.length};
}

/* Returns whether no field between the two positions has one of these names. */
static bool has_only_new_names(struct text file, const struct table *names, size_t at, size_t end)
{
    char upper[TAG_NAME_MAX];
    while (at < end) {
        struct tag tag = {.kind = TAG_NONE, .end = at + 1};
        if (file.bytes[at] == '<')
            tag = tag_read(file, at);
        if (tag.kind == TAG_FIELD && table_find(names, to_upper(tag.name, upper)))
            return false;
        at = tag.end;
    }
    return true;
}

/* Returns whether a value really contains an <EOR> and text that looks like another field. The
 * value belongs to the field `name` and ends at `at`. Only free text can contain these, and only if
 * all fields up to the next <EOR> are new in this record. Otherwise, the length is wrong, because
 * the value would extend into the next record. The result is also false if there are too many
 * fields, or if several searches to the same position have failed. Thus the work grows with the
 * file, not with its square. */
static bool contains_mark(struct reader *reader, struct text name, size_t at)
{
    const size_t end = find_record_end(reader, at)->begin;
    if (!slots_is_free_text_name(name) || reader->count > NAMES_MAX ||
        (end == reader->ahead_end && reader->ahead_failures >= FAILED_MAX))
        return false;
    char upper[TAG_NAME_MAX];
    struct arena arena = {0};
    struct table names;
    table_begin(&names, &arena, 0);
    for (size_t i = 0; i < reader->count; i++)
        table_at(&names, to_upper(reader->fields[i].name, upper));
    bool is_new = !table_find(&names, to_upper(name, upper));
    table_at(&names, to_upper(name, upper));
    is_new = is_new && has_only_new_names(reader->file, &names, at, end);
    arena_free(&arena);
    if (!is_new) {
        reader->ahead_failures = end == reader->ahead_end ? reader->ahead_failures + 1 : 1;
        reader->ahead_end = end;
    }
    return is_new;
}

static void begin_record(struct reader *reader)
{
    reader->begin = reader->at;
    reader->count = 0;
    reader->contradiction = 0;
    memset(reader->seen, 0, sizeof reader->seen);
}

static bool give_event(struct reader *reader, enum reader_event event)
{
    if (event == READER_RECORD) {
        reader->number++;
        reader->headers = 0;
    }
    *reader->record = (struct record){.number = reader->number,
                                      .line = reader->count > 0 ? reader->fields[0].line : 0,
                                      .fields = reader->fields,
                                      .count = reader->count};
    reader->event = event;
    return true;
}

static bool give_wrong(struct reader *reader, int64_t line, struct text field, const char *reason)
{
    *reader->fault = (struct reader_fault){
        .number = ++reader->number, .line = line, .field = field, .reason = reason};
    reader->event = READER_WRONG;
    reader->headers = 0;
    return true;
}

/* Returns the position where reading continues if the record is abandoned at the tag with this
 * name. The position is after the record's end or, without an end, where the record's first field
 * appears again. */
static size_t find_next_record(struct reader *reader, size_t at, struct text name)
{
    const struct mark *end = find_record_end(reader, at);
    const struct text first = reader->count > 0 ? reader->fields[0].name : name;
    if (end->begin < reader->file.length || first.length == 0)
        return end->end;
    for (at++; at < reader->file.length; at++)
        if (reader->file.bytes[at] == '<' && are_alike(tag_read(reader->file, at).name, first))
            break;
    return at;
}

static bool give_fault(struct reader *reader, size_t at, struct text field, const char *reason)
{
    reader->at = find_next_record(reader, at, field);
    return give_wrong(reader, line_of(reader, at), field, reason);
}

static bool give_record(struct reader *reader)
{
    if (reader->contradiction == 0)
        return give_event(reader, READER_RECORD);
    const struct record_field *field = &reader->fields[reader->contradiction - 1];
    return give_wrong(reader, field->line, field->name,
                      "occurs twice with different values: is <EOR> missing between two records?");
}

/* Returns the position after the header that is abandoned at this position, or 0 if no <EOH>
 * precedes the record's end. After too many such headers, all further headers are skipped at once,
 * because each could cost as much as reading the rest. */
static size_t find_header_end(struct reader *reader, size_t at)
{
    const size_t record_end = find_record_end(reader, at)->begin;
    size_t found = 0;
    const struct mark *mark = find_mark(reader, &reader->header_ends, MARK_OF_HEADER, at);
    while (mark->begin < record_end && (found == 0 || reader->headers >= HEADERS_MAX)) {
        found = mark->end;
        mark = find_mark(reader, &reader->header_ends, MARK_OF_HEADER, found);
    }
    return found;
}

/* Returns whether the fields since the last end form a record, which contains all fields in `once`.
 * A header contains none of these fields. */
static bool is_record(const struct reader *reader)
{
    size_t place = 0;
    while (place < ONCE_COUNT && reader->seen[place] > 0)
        place++;
    return place == ONCE_COUNT;
}

/* Abandons the record or header. An abandoned header is not reported as a fault. Returns whether
 * there is an event. */
static bool give_up(struct reader *reader, size_t at, struct text field, const char *reason)
{
    const size_t header_end = is_record(reader) ? 0 : find_header_end(reader, at);
    if (header_end == 0)
        return give_fault(reader, at, field, reason);
    reader->headers++;
    reader->at = header_end;
    begin_record(reader);
    return false;
}

/* Returns the field's index in `once`, or ONCE_COUNT if the field is not in that list. */
static size_t find_once(struct text name)
{
    size_t place = 0;
    while (place < ONCE_COUNT && !text_equals_ignoring_case(name, once[place]))
        place++;
    return place;
}

/* Returns whether the field begins the next record. If the file contains no further end of a
 * record, a repeated field begins a record: the first field, or a field in `once`. The current
 * record must already have a CALL. */
static bool begins_next(struct reader *reader, struct text name, size_t at)
{
    if (reader->seen[0] == 0 || find_record_end(reader, at)->begin < reader->file.length)
        return false;
    const size_t place = find_once(name);
    return place < ONCE_COUNT ? reader->seen[place] > 0 : are_alike(name, reader->fields[0].name);
}

/* Remembers the place of the last field if a record can contain that field only once. Another value
 * of the same field is a contradiction. */
static void note_once(struct reader *reader)
{
    const struct record_field *field = &reader->fields[reader->count - 1];
    const size_t place = find_once(field->name);
    const struct text value = text_trim(field->value);
    if (place == ONCE_COUNT || value.length == 0)
        return;
    if (reader->seen[place] == 0)
        reader->seen[place] = reader->count;
    else if (!are_alike(value, text_trim(reader->fields[reader->seen[place] - 1].value)))
        reader->contradiction = reader->count;
}

static bool take_field(struct reader *reader, size_t at, const struct tag *tag)
{
    struct lengths_value value;
    const char *wrong = lengths_find_value(reader->file, tag->end, tag->length,
                                           find_record_end(reader, tag->end), &value);
    if (!wrong && value.holds_record && !contains_mark(reader, tag->name, value.end))
        wrong = "is longer than its record";
    else if (!wrong && !tag->has_length && !value.is_exact)
        wrong = "has no length";
    if (wrong)
        return give_up(reader, at, tag->name, wrong);
    reader->fields = arena_grow(reader->arena, reader->fields, reader->count, &reader->capacity,
                                sizeof *reader->fields);
    reader->fields[reader->count++] =
        (struct record_field){.name = tag->name,
                              .value = {reader->file.bytes + tag->end, value.end - tag->end},
                              .line = line_of(reader, at),
                              .cut = value.cut};
    reader->at = value.end;
    note_once(reader);
    return false;
}

static bool take_tag(struct reader *reader, size_t at)
{
    struct tag tag = tag_read(reader->file, at);
    if ((tag.kind == TAG_FIELD || tag.kind == TAG_WRONG) && begins_next(reader, tag.name, at)) {
        reader->at = at;
        return give_record(reader);
    }
    reader->at = tag.end;
    if (tag.kind == TAG_FIELD)
        return take_field(reader, at, &tag);
    if (tag.kind == TAG_WRONG)
        return give_up(reader, at, tag.name, tag.reason);
    if (tag.kind == TAG_HEADER_END && !is_record(reader))
        return give_event(reader, READER_HEADER);
    /* Without a field, there is no record: two marks follow each other. */
    return (tag.kind == TAG_RECORD_END || tag.kind == TAG_HEADER_END) && reader->count > 0 &&
           give_record(reader);
}

/* Returns whether the record, with the comments before it, is too long. If the record has no end,
 * the part read so far counts. */
static bool is_too_long(struct reader *reader)
{
    const struct mark *end = find_record_end(reader, reader->at);
    if (end->begin < reader->file.length)
        return reader->count == 0 && end->begin - reader->at > READER_RECORD_MAX;
    return reader->at - reader->begin > READER_RECORD_MAX;
}

/* Reads the next part of the file: a tag, or the rest without tags. Returns whether this part ends
 * with an event, which is then in reader->event. */
static bool take(struct reader *reader)
{
    const struct text rest = text_skip(reader->file, reader->at);
    if (is_too_long(reader)) {
        const int64_t line =
            reader->count > 0 ? reader->fields[0].line : line_of(reader, reader->begin);
        reader->at = find_record_end(reader, reader->at)->end;
        return give_wrong(reader, line, (struct text){0}, "is longer than a record can be");
    }
    const char *tag = memchr(rest.bytes, '<', rest.length);
    if (tag)
        return take_tag(reader, reader->at + (size_t)(tag - rest.bytes));
    reader->at = reader->file.length;
    return reader->count == 0 || give_record(reader);
}

enum reader_event reader_next(struct reader *reader, struct record *record,
                              struct reader_fault *fault)
{
    reader->event = READER_END;
    reader->record = record;
    reader->fault = fault;
    begin_record(reader);
    if (reader->adx_fault.reason && reader->number == 0) {
        give_wrong(reader, reader->adx_fault.line, (struct text){0}, reader->adx_fault.reason);
        return READER_WRONG;
    }
    while (!take(reader))
        continue;
    return reader->event;
}
