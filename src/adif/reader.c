/* Finds the fields of ADIF records by their lengths, and decides what to do if a length is
 * wrong.
 *
 * Text between fields is comment, before the first record with an <EOH> also header. mapping.c
 * knows what the fields mean. */
#include "adif/reader.h"

#include <string.h>
#include <strings.h>

#include "adif/lengths.h"
#include "adif/record.h"
#include "base/arena.h"
#include "base/table.h"

#define MARK_BYTES 5    /* <EOR> */
#define FORM_BYTES 1024 /* of a file, enough to recognise ADX */
#define HEADERS_MAX 4   /* of which one is wrong, before a record */
#define NAMES_MAX 1000  /* more than ADIF has */
#define VAIN_MAX 8      /* looks to one position */

/* The stretch of the file in which a mark was looked for last: the work grows with the file and not
 * with the questions. */
struct stretch {
    size_t from, mark; /* the first one after from; the file's length: there is none */
};

struct reader {
    struct text file;
    struct arena *arena;
    size_t at; /* everything before is read */
    size_t counted;
    int64_t line;   /* at counted */
    int64_t number; /* of the last record */
    struct stretch record_ends, header_ends;
    size_t ahead_end; /* where a look ahead that was in vain ended last */
    int ahead_vain;   /* how many did */
    int headers;      /* that were given up since the last <EOR> */
    bool is_adx;
    struct record_field *fields;
    size_t count, capacity;
    /* The next event, and what the caller has for it. */
    enum reader_event event;
    struct record *record;
    struct reader_fault *fault;
};

/* By its first bytes: XML with the element ADX. */
static bool is_adx(struct text bytes)
{
    bytes.length = bytes.length < FORM_BYTES ? bytes.length : FORM_BYTES;
    if (bytes.length >= 3 && memcmp(bytes.bytes, "\xEF\xBB\xBF", 3) == 0)
        bytes = text_skip(bytes, 3);
    bytes = text_trim(bytes);
    size_t mark = lengths_find_mark(bytes, "<ADX>");
    return mark == 0 ? bytes.length > 0
                     : mark < bytes.length && strncasecmp(bytes.bytes, "<?xml", 5) == 0;
}

struct reader *reader_create(struct text file, struct arena *arena)
{
    static const struct stretch nowhere = {1, 0};
    struct reader *reader = arena_allocate(arena, sizeof *reader);
    *reader = (struct reader){.file = file.length > 0 ? file : text_of(""),
                              .arena = arena,
                              .line = 1,
                              .record_ends = nowhere,
                              .header_ends = nowhere,
                              .is_adx = is_adx(file)};
    return reader;
}

size_t reader_position(const struct reader *reader)
{
    return reader->at;
}

/* -- Positions in the file --------------------------------------------------------------------- */

/* The first mark that begins at or after the position; the file's length: there is none. */
static size_t find_mark(const struct reader *reader, struct stretch *known, const char *mark,
                        size_t from)
{
    if (from < known->from || from > known->mark)
        *known =
            (struct stretch){from, from + lengths_find_mark(text_skip(reader->file, from), mark)};
    return known->mark;
}

static size_t find_record_end(struct reader *reader, size_t from)
{
    return find_mark(reader, &reader->record_ends, "<EOR>", from);
}

/* Lines end with LF, CR LF or CR. Positions are asked for in their order. */
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

/* -- Looking ahead ----------------------------------------------------------------------------- */

static struct text to_upper(struct text name, char upper[TAG_NAME_MAX])
{
    text_to_upper(name, upper);
    return (struct text){upper, name.length};
}

/* Has a record none of these names between the positions? */
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

/* A value of a field with this name ends at `at`, and holds what looks like the end of its record
 * and a field of the next: does it, or is its length wrong? A free text may hold anything, if its
 * record goes on after it with fields that it has not had yet; otherwise the length is wrong and
 * reaches into the next record. Of records with more fields than ADIF has nothing is guessed, nor
 * if there were looks ahead to the same position, several and in vain: the work grows with the file
 * and not with its square. */
static bool goes_on(struct reader *reader, struct text name, size_t at)
{
    const size_t end = find_record_end(reader, at);
    if (!slots_is_free_text_name(name) || reader->count > NAMES_MAX ||
        (end == reader->ahead_end && reader->ahead_vain >= VAIN_MAX))
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
        reader->ahead_vain = end == reader->ahead_end ? reader->ahead_vain + 1 : 1;
        reader->ahead_end = end;
    }
    return is_new;
}

/* -- Records ----------------------------------------------------------------------------------- */

/* These return true if that is an event. */

static bool give_record(struct reader *reader, enum reader_event event)
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

/* Reading goes on after the record's <EOR>. */
static bool give_fault(struct reader *reader, size_t at, struct text field, const char *reason)
{
    const size_t end = find_record_end(reader, at);
    *reader->fault = (struct reader_fault){
        .number = ++reader->number, .line = line_of(reader, at), .field = field, .reason = reason};
    reader->event = READER_WRONG;
    reader->headers = 0;
    reader->at = end < reader->file.length ? end + MARK_BYTES : end;
    return true;
}

/* The position after the header that is given up at this position; 0: there is no <EOH> before the
 * record's end. If too many were given up all of them are, or each could cost as much as
 * reading all that follows. */
static size_t find_header_end(struct reader *reader, size_t at)
{
    const size_t record_end = find_record_end(reader, at);
    size_t found = 0, mark = at;
    do {
        mark = find_mark(reader, &reader->header_ends, "<EOH>", mark);
        if (mark < record_end)
            found = mark += MARK_BYTES;
    } while (mark < record_end && reader->headers >= HEADERS_MAX);
    return found;
}

/* Gives the record up. Before an <EOH> nothing is a fault. */
static bool give_up(struct reader *reader, size_t at, struct text field, const char *reason)
{
    const size_t header_end = find_header_end(reader, at);
    if (header_end == 0)
        return give_fault(reader, at, field, reason);
    reader->headers++;
    reader->count = 0;
    reader->at = header_end;
    return false;
}

static bool take_field(struct reader *reader, size_t at, const struct tag *tag)
{
    struct lengths_value value;
    const char *wrong = lengths_find_value(reader->file, tag->end, tag->length,
                                           find_record_end(reader, tag->end), &value);
    if (!wrong && value.holds_record && !goes_on(reader, tag->name, value.end))
        wrong = "is longer than its record";
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
    return false;
}

static bool take_tag(struct reader *reader, size_t at)
{
    struct tag tag = tag_read(reader->file, at);
    reader->at = tag.end;
    if (tag.kind == TAG_FIELD)
        return take_field(reader, at, &tag);
    if (tag.kind == TAG_WRONG)
        return give_up(reader, at, tag.name, tag.reason);
    if (tag.kind == TAG_HEADER_END)
        return give_record(reader, READER_HEADER);
    /* or nothing between two <EOR> */
    return tag.kind == TAG_RECORD_END && reader->count > 0 && give_record(reader, READER_RECORD);
}

/* What stands next in the file. */
static bool take(struct reader *reader)
{
    const struct text rest = text_skip(reader->file, reader->at);
    if (reader->count == 0 && find_record_end(reader, reader->at) - reader->at > READER_RECORD_MAX)
        return give_fault(reader, reader->at, (struct text){0}, "is longer than a record can be");
    const char *tag = memchr(rest.bytes, '<', rest.length);
    if (tag)
        return take_tag(reader, reader->at + (size_t)(tag - rest.bytes));
    reader->at = reader->file.length;
    return reader->count == 0 || give_record(reader, READER_RECORD);
}

enum reader_event reader_next(struct reader *reader, struct record *record,
                              struct reader_fault *fault)
{
    reader->event = READER_END;
    reader->record = record;
    reader->fault = fault;
    reader->count = 0;
    if (reader->is_adx && reader->at == 0) {
        give_fault(
            reader, 0, (struct text){0},
            "is ADX, the XML form of ADIF, which is not supported: export the log as ADI (.adi)");
        reader->at = reader->file.length;
        return READER_WRONG;
    }
    while (!take(reader))
        continue;
    return reader->event;
}
