/* Finds the fields of ADIF records by their lengths, and decides what to do if a length is
 * wrong.
 *
 * A record is read when its <EOR> has arrived. Text between fields is comment, before the first
 * record with an <EOH> also header. mapping.c knows what the fields mean. */
#include "adif/reader.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "adif/lengths.h"
#include "adif/record.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/table.h"

#define MARK_BYTES 5    /* <EOR> */
#define FORM_BYTES 1024 /* of a file, enough to recognise ADX */
#define HEADERS_MAX 4   /* of which one is wrong, before a record */
#define NAMES_MAX 1000  /* more than ADIF has */
#define VAIN_MAX 8      /* looks to one position */

/* A value holds what looks like the end of its record and a field of the next: does it, or is its
 * length wrong? What follows tells. The names of the record's fields are in a table meanwhile, and
 * the same bytes are looked at a few times at most, so that the work grows with the file and
 * not with its square. */
struct ahead {
    struct arena arena;
    struct table names; /* in upper case */
    size_t end;         /* where a look that was in vain ended last */
    int vain;           /* how many did */
};

static bool has_name(const struct ahead *ahead, struct text name)
{
    char upper[TAG_NAME_MAX];
    text_to_upper(name, upper);
    return table_find(&ahead->names, (struct text){upper, name.length});
}

static void note_name(struct ahead *ahead, struct text name)
{
    char upper[TAG_NAME_MAX];
    text_to_upper(name, upper);
    table_at(&ahead->names, (struct text){upper, name.length});
}

static bool has_only_new_names(const struct ahead *ahead, struct text bytes, size_t at, size_t end,
                               bool finished)
{
    while (at < end) {
        struct tag tag = {.kind = TAG_NONE, .end = at + 1};
        if (bytes.bytes[at] == '<')
            tag = tag_read(bytes, at, finished);
        if (tag.kind == TAG_FIELD && has_name(ahead, tag.name))
            return false;
        at = tag.end;
    }
    return true;
}

/* A value of a field with this name ends at `at`, and the record that has these fields so far would
 * end at `end`. A free text may hold anything, if its record goes on after it with fields that it
 * has not had yet; otherwise the length is wrong and reaches into the next record. Of records with
 * more fields than ADIF has nothing is guessed, nor if that position was looked ahead to in vain
 * several times: false. */
static bool ahead_goes_on(struct ahead *ahead, const struct record *record, struct text name,
                          struct text bytes, size_t at, size_t end, bool finished)
{
    bool is_hopeless = end == ahead->end && ahead->vain >= VAIN_MAX;
    if (!slots_is_free_text_name(name) || record->count > NAMES_MAX || is_hopeless)
        return false;
    arena_reset(&ahead->arena);
    table_begin(&ahead->names, &ahead->arena, 0);
    for (size_t i = 0; i < record->count; i++)
        note_name(ahead, record->fields[i].name);
    bool is_new = !has_name(ahead, name);
    note_name(ahead, name);
    if (is_new && has_only_new_names(ahead, bytes, at, end, finished))
        return true;
    ahead->vain = end == ahead->end ? ahead->vain + 1 : 1;
    ahead->end = end;
    return false;
}

/* So many bytes were taken away at the beginning. */
static void ahead_shift(struct ahead *ahead, size_t count)
{
    if (ahead->end < count)
        ahead->vain = 0;
    ahead->end -= ahead->end < count ? ahead->end : count;
}

/* -- The next <EOR> or <EOH> ------------------------------------------------------------------- */

/* The reader asks again whenever more bytes have come. One stretch without a mark is remembered,
 * with the mark that ends it, so that the work grows with the bytes and not with the questions. */
struct marks {
    size_t from, at; /* none begins between these two */
    bool found;      /* one begins at it */
};

/* The first mark that begins at or after the position; the bytes' length: there is none. */
static size_t marks_find(struct marks *known, struct text bytes, const char *mark, size_t from)
{
    if (bytes.length == 0)
        return 0;
    if (from > known->at || from < known->from)
        *known = (struct marks){from, from, false};
    if (known->found)
        return known->at;
    struct text rest = {bytes.bytes + known->at, bytes.length - known->at};
    size_t found = lengths_find_mark(rest, mark), begun = strlen(mark) - 1;
    known->found = found < rest.length;
    if (known->found) {
        known->at += found;
        return known->at;
    }
    known->at += rest.length > begun ? rest.length - begun : 0; /* one may have begun */
    return bytes.length;
}

static void marks_shift(struct marks *known, size_t count)
{
    if (known->at < count)
        *known = (struct marks){0};
    else
        *known = (struct marks){known->from > count ? known->from - count : 0, known->at - count,
                                known->found};
}

struct reader {
    struct buffer bytes;
    size_t start;   /* of the record that is being read, in bytes */
    size_t needed;  /* bytes that are needed before the next attempt */
    int64_t line;   /* at start */
    int64_t number; /* of the last record */
    struct marks record_ends, header_ends;
    struct ahead ahead;
    int headers; /* that were given up since the last <EOR> */
    bool finished;
    bool skipping; /* the record is given up; its <EOR> is to be found */
    enum { FORM_UNKNOWN, FORM_ADI, FORM_ADX, FORM_ADX_TOLD } form;
    struct record_field *fields;
    size_t count, capacity;
};

struct reader *reader_create(void)
{
    struct reader *reader = memory_allocate(sizeof *reader);
    memset(reader, 0, sizeof *reader);
    reader->line = 1;
    return reader;
}

void reader_free(struct reader *reader)
{
    if (!reader)
        return;
    buffer_free(&reader->bytes);
    arena_free(&reader->ahead.arena);
    free(reader->fields);
    free(reader);
}

/* -- Positions in the text --------------------------------------------------------------------- */

static struct text all_bytes(const struct reader *reader)
{
    return (struct text){reader->bytes.bytes, reader->bytes.length};
}

/* The position of the first <EOR> from there on; the bytes' length: there is none. */
static size_t find_record_end(struct reader *reader, size_t from)
{
    return marks_find(&reader->record_ends, all_bytes(reader), "<EOR>", from);
}

/* Lines that end in the bytes from..to: with LF, CR LF or CR. */
static int64_t count_lines(const struct reader *reader, size_t from, size_t to)
{
    const char *bytes = reader->bytes.bytes;
    int64_t lines = 0;
    for (size_t i = from; i < to; i++)
        if (bytes[i] == '\n' ||
            (bytes[i] == '\r' && (i + 1 == reader->bytes.length || bytes[i + 1] != '\n')))
            lines++;
    return lines;
}

static void move_start(struct reader *reader, size_t start)
{
    reader->line += count_lines(reader, reader->start, start);
    reader->start = start;
    reader->needed = 0;
}

/* -- Records ----------------------------------------------------------------------------------- */

/* One attempt to read the record at reader->start. */
struct attempt {
    size_t at;   /* everything before is read */
    size_t mark; /* the first <EOR> at or after it; the bytes' length: none */
    size_t line_at;
    int64_t line; /* at line_at */
    int64_t first_line;
};

static int64_t line_of(const struct reader *reader, struct attempt *attempt, size_t at)
{
    attempt->line += count_lines(reader, attempt->line_at, at);
    attempt->line_at = at;
    return attempt->line;
}

static void add_field(struct reader *reader, struct record_field field)
{
    if (reader->count == reader->capacity) {
        reader->capacity = reader->capacity ? 2 * reader->capacity : 64;
        reader->fields = memory_resize(reader->fields, reader->capacity * sizeof *reader->fields);
    }
    reader->fields[reader->count++] = field;
}

static enum reader_event give_record(struct reader *reader, const struct attempt *attempt,
                                     size_t end, enum reader_event event, struct record *record)
{
    if (event == READER_RECORD) {
        reader->number++;
        reader->headers = 0;
    }
    *record = (struct record){.number = reader->number,
                              .line = attempt->first_line,
                              .fields = reader->fields,
                              .count = reader->count};
    move_start(reader, end);
    return event;
}

/* Waits for bytes, so many from the start of the buffer; for a long record for some more, or it
 * would be read again with every few bytes of a file that comes in small pieces. */
static enum reader_event wait_for(struct reader *reader, size_t needed)
{
    size_t record = reader->bytes.length - reader->start;
    size_t enough =
        record + record / 4 < READER_RECORD_MAX ? record + record / 4 : READER_RECORD_MAX;
    reader->needed = needed > reader->start + enough ? needed : reader->start + enough;
    return READER_MORE;
}

/* The position after the header that is given up at this position; 0: there is no <EOH> before the
 * record's end. If too many were given up all of them are, or each could cost as much as
 * reading all that follows. */
static size_t find_header_end(struct reader *reader, size_t at, size_t record_end)
{
    size_t found = 0, mark = at;
    do {
        mark = marks_find(&reader->header_ends, all_bytes(reader), "<EOH>", mark);
        if (mark < record_end)
            found = mark += MARK_BYTES;
    } while (mark < record_end && reader->headers >= HEADERS_MAX);
    return found;
}

/* Gives the record up: reading goes on after its <EOR>. Before an <EOH> nothing is a fault:
 * READER_MORE. */
static enum reader_event give_up(struct reader *reader, struct attempt *attempt, size_t at,
                                 struct text field, const char *reason, struct reader_fault *fault)
{
    size_t record_end = find_record_end(reader, at);
    size_t header_end = find_header_end(reader, at, record_end);
    if (header_end > 0) {
        reader->headers++;
        move_start(reader, header_end);
        return READER_MORE;
    }
    if (record_end == reader->bytes.length && !reader->finished)
        return wait_for(reader, reader->bytes.length + 1);
    *fault = (struct reader_fault){.number = ++reader->number,
                                   .line = line_of(reader, attempt, at),
                                   .field = field,
                                   .reason = reason};
    bool last = record_end == reader->bytes.length;
    reader->headers = 0;
    move_start(reader, last ? record_end : record_end + MARK_BYTES);
    return READER_WRONG;
}

/* Takes the field with this tag, whose < is at `at`; READER_END: it is taken, read on. */
static enum reader_event take_field(struct reader *reader, struct attempt *attempt, size_t at,
                                    const struct tag *tag, struct reader_fault *fault)
{
    struct text all = all_bytes(reader);
    struct lengths_value value;
    if (attempt->mark < tag->end)
        attempt->mark = find_record_end(reader, tag->end);
    switch (
        lengths_find_value(all, tag->end, tag->length, attempt->mark, reader->finished, &value)) {
    case LENGTHS_MORE:
        return wait_for(reader, value.end);
    case LENGTHS_WRONG:
        return give_up(reader, attempt, at, tag->name, value.reason, fault);
    case LENGTHS_FIT:
        break;
    }
    if (value.holds_record) {
        size_t next = find_record_end(reader, value.end);
        if (next == all.length && !reader->finished)
            return wait_for(reader, all.length + 1);
        const struct record so_far = {.fields = reader->fields, .count = reader->count};
        if (!ahead_goes_on(&reader->ahead, &so_far, tag->name, all, value.end, next,
                           reader->finished))
            return give_up(reader, attempt, at, tag->name, "is longer than its record", fault);
    }
    struct text text = {all.bytes + tag->end, value.end - tag->end};
    add_field(reader, (struct record_field){.name = tag->name,
                                            .value = text,
                                            .line = line_of(reader, attempt, at),
                                            .cut = value.cut});
    if (reader->count == 1)
        attempt->first_line = attempt->line;
    attempt->at = value.end;
    return READER_END;
}

/* One tag; READER_END: read on; READER_MORE: begin again, at reader->start, once there is enough.
 */
static enum reader_event take_tag(struct reader *reader, struct attempt *attempt, size_t at,
                                  struct record *record, struct reader_fault *fault)
{
    struct tag tag = tag_read(all_bytes(reader), at, reader->finished);
    attempt->at = tag.end;
    switch (tag.kind) {
    case TAG_NONE:
        return tag.incomplete ? wait_for(reader, reader->bytes.length + 1) : READER_END;
    case TAG_MARK:
        return READER_END;
    case TAG_FIELD:
        return take_field(reader, attempt, at, &tag, fault);
    case TAG_WRONG:
        return give_up(reader, attempt, at, tag.name, tag.reason, fault);
    case TAG_HEADER_END:
        return give_record(reader, attempt, tag.end, READER_HEADER, record);
    case TAG_RECORD_END:
        break;
    }
    if (reader->count > 0)
        return give_record(reader, attempt, tag.end, READER_RECORD, record);
    move_start(reader, tag.end); /* nothing between two <EOR> */
    return READER_MORE;
}

static enum reader_event read_record(struct reader *reader, struct record *record,
                                     struct reader_fault *fault)
{
    struct attempt attempt = {.at = reader->start, .line_at = reader->start, .line = reader->line};
    enum reader_event event = READER_END;
    reader->count = 0;
    while (event == READER_END) {
        size_t left = reader->bytes.length - attempt.at;
        const char *tag = left > 0 ? memchr(reader->bytes.bytes + attempt.at, '<', left) : NULL;
        if (!tag && !reader->finished)
            return wait_for(reader, reader->bytes.length + 1);
        if (!tag && reader->count > 0)
            return give_record(reader, &attempt, reader->bytes.length, READER_RECORD, record);
        if (!tag)
            return READER_END;
        event = take_tag(reader, &attempt, (size_t)(tag - reader->bytes.bytes), record, fault);
    }
    return event;
}

/* -- Feeding ----------------------------------------------------------------------------------- */

/* By its first bytes: XML with the element ADX. */
static bool is_adx(struct text bytes)
{
    if (bytes.length >= 3 && memcmp(bytes.bytes, "\xEF\xBB\xBF", 3) == 0)
        bytes = (struct text){bytes.bytes + 3, bytes.length - 3};
    bytes = text_trim(bytes);
    size_t mark = lengths_find_mark(bytes, "<ADX>");
    return mark == 0 ? bytes.length > 0
                     : mark < bytes.length && strncasecmp(bytes.bytes, "<?xml", 5) == 0;
}

/* False: too little of the file has arrived. */
static bool find_form(struct reader *reader)
{
    struct text bytes = all_bytes(reader);
    if (bytes.length < FORM_BYTES && !reader->finished)
        return false;
    if (bytes.length > FORM_BYTES)
        bytes.length = FORM_BYTES;
    reader->form = is_adx(bytes) ? FORM_ADX : FORM_ADI;
    return true;
}

/* Reports the whole file as one fault. */
static enum reader_event refuse_adx(struct reader *reader, struct reader_fault *fault)
{
    if (reader->form == FORM_ADX_TOLD)
        return reader->finished ? READER_END : READER_MORE;
    reader->form = FORM_ADX_TOLD;
    *fault = (struct reader_fault){.number = ++reader->number,
                                   .line = reader->line,
                                   .reason = "is ADX, the XML form of ADIF, which is not read: "
                                             "export the log as ADI (.adi)"};
    return READER_WRONG;
}

void reader_feed(struct reader *reader, const void *bytes, size_t length)
{
    struct buffer *buffer = &reader->bytes;
    if (reader->form >= FORM_ADX)
        return;
    if (reader->start > 0) {
        buffer->length -= reader->start;
        memmove(buffer->bytes, buffer->bytes + reader->start, buffer->length);
        ahead_shift(&reader->ahead, reader->start);
        marks_shift(&reader->record_ends, reader->start);
        marks_shift(&reader->header_ends, reader->start);
        reader->needed -= reader->needed > reader->start ? reader->start : reader->needed;
        reader->start = 0;
    }
    buffer_append(buffer, bytes, length);
}

void reader_finish(struct reader *reader)
{
    reader->finished = true;
}

/* Passes over what belongs to a record that was given up; true once its <EOR> was found. */
static bool skip(struct reader *reader)
{
    size_t end = find_record_end(reader, reader->start);
    bool found = end < reader->bytes.length;
    move_start(reader, found ? end + MARK_BYTES : reader->record_ends.at);
    reader->skipping = !found;
    return found;
}

static enum reader_event give_up_long(struct reader *reader, struct reader_fault *fault)
{
    struct attempt attempt = {.line_at = reader->start, .line = reader->line};
    reader->skipping = true;
    *fault = (struct reader_fault){.number = ++reader->number,
                                   .line = line_of(reader, &attempt, reader->start),
                                   .reason = "is longer than a record may be"};
    return READER_WRONG;
}

enum reader_event reader_next(struct reader *reader, struct record *record,
                              struct reader_fault *fault)
{
    if (reader->form == FORM_UNKNOWN && !find_form(reader))
        return READER_MORE;
    if (reader->form >= FORM_ADX)
        return refuse_adx(reader, fault);
    for (;;) {
        if (reader->skipping && !skip(reader))
            return reader->finished ? READER_END : READER_MORE;
        bool ready = reader->needed <= reader->bytes.length &&
                     find_record_end(reader, reader->start) < reader->bytes.length;
        if (!ready && !reader->finished) {
            if (reader->bytes.length - reader->start <= READER_RECORD_MAX)
                return READER_MORE;
            return give_up_long(reader, fault);
        }
        size_t before = reader->start;
        enum reader_event event = read_record(reader, record, fault);
        if (event != READER_MORE)
            return event;
        if (reader->start == before && reader->finished)
            return READER_END;
    }
}
