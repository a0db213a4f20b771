/* Finds the fields of ADIF records by their lengths, and what to do where a length is wrong.
 *
 * A record is read when its <EOR> has arrived. Text between fields is comment, before the first
 * record with an <EOH> also header. Knows no field's name and no value's meaning (mapping.c does).
 */
#include "adif/reader.h"

#include <stdlib.h>
#include <string.h>

#include "adif/lengths.h"
#include "base/arena.h"
#include "base/buffer.h"

#define TAG_MAX 160  /* bytes of <NAME:LENGTH:TYPE>; more is no tag */
#define NAME_MAX 64  /* bytes */
#define MARK_BYTES 5 /* <EOR> */

struct reader {
    struct buffer bytes;
    size_t start;   /* of the record that is being read, in bytes */
    size_t scanned; /* no <EOR> begins before */
    size_t needed;  /* so many bytes before it is tried again */
    int64_t line;   /* at start */
    int64_t number; /* of the last record */
    bool finished;
    bool skipping; /* the record is given up; its <EOR> is to be found */
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
    free(reader->fields);
    free(reader);
}

/* -- Places in the text ------------------------------------------------------------------------ */

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
    if (reader->scanned < start)
        reader->scanned = start;
}

/* -- Tags -------------------------------------------------------------------------------------- */

enum tag_kind { TAG_NONE, TAG_FIELD, TAG_RECORD_END, TAG_HEADER_END, TAG_MARK, TAG_WRONG };

struct tag {
    enum tag_kind kind;
    struct text name;
    size_t length;      /* as it is written */
    size_t end;         /* behind the > */
    bool incomplete;    /* TAG_NONE: its > may still come */
    const char *reason; /* TAG_WRONG */
};

/* What may be part of a name: printable and no sign of ADIF's own. */
static bool is_name(struct text name)
{
    if (name.length == 0 || name.length > NAME_MAX)
        return false;
    for (size_t i = 0; i < name.length; i++)
        if ((unsigned char)name.bytes[i] < ' ' || memchr("<>:{}", name.bytes[i], 5))
            return false;
    return true;
}

static bool is_word(struct text name)
{
    for (size_t i = 0; i < name.length; i++)
        if (!lengths_begins_name(name.bytes[i]) &&
            (i == 0 || name.bytes[i] < '0' || name.bytes[i] > '9'))
            return false;
    return name.length > 0;
}

/* LoTW's files end with <APP_LoTW_EOF>. */
static bool is_mark(struct text name)
{
    return name.length > 8 && text_equals_ignoring_case((struct text){name.bytes, 4}, "APP_") &&
           text_equals_ignoring_case((struct text){name.bytes + name.length - 4, 4}, "_EOF");
}

/* A tag of a name alone. */
static void judge_name(struct tag *tag)
{
    if (text_equals_ignoring_case(tag->name, "EOR"))
        tag->kind = TAG_RECORD_END;
    else if (text_equals_ignoring_case(tag->name, "EOH"))
        tag->kind = TAG_HEADER_END;
    else if (is_mark(tag->name))
        tag->kind = TAG_MARK;
    else if (is_word(tag->name)) {
        tag->kind = TAG_WRONG;
        tag->reason = "has no length";
    }
}

static void judge_length(struct tag *tag, struct text length)
{
    int64_t number;
    length = text_trim(length);
    tag->kind = TAG_WRONG;
    if (length.length == 0)
        tag->reason = "has no length";
    else if (length.bytes[0] == '-')
        tag->reason = "has a negative length";
    else if (strspn(length.bytes, "0123456789") < length.length)
        tag->reason = "has a length that is no number";
    else if (!text_parse_integer(length, 0, READER_RECORD_MAX, &number))
        tag->reason = "has a length that no record has";
    else {
        tag->kind = TAG_FIELD;
        tag->length = (size_t)number;
    }
}

/* The tag whose < is at `at`. */
static struct tag read_tag(const struct reader *reader, size_t at)
{
    struct tag tag = {.kind = TAG_NONE, .end = at + 1};
    const char *bytes = reader->bytes.bytes + at + 1;
    size_t available = reader->bytes.length - at - 1;
    const char *end = memchr(bytes, '>', available < TAG_MAX ? available : TAG_MAX);
    if (!end) {
        tag.incomplete = available < TAG_MAX && !reader->finished;
        return tag;
    }
    size_t size = (size_t)(end - bytes);
    const char *colon = memchr(bytes, ':', size);
    tag.name = (struct text){bytes, colon ? (size_t)(colon - bytes) : size};
    if (colon)
        tag.name = text_trim(tag.name);
    if (!is_name(tag.name))
        return tag;
    if (!colon) {
        judge_name(&tag);
    } else {
        const char *type = memchr(colon + 1, ':', (size_t)(end - colon - 1));
        judge_length(&tag, (struct text){colon + 1, (size_t)((type ? type : end) - colon - 1)});
    }
    if (tag.kind != TAG_NONE)
        tag.end = at + size + 2;
    return tag;
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
    if (event == READER_RECORD)
        reader->number++;
    *record = (struct record){.number = reader->number,
                              .line = attempt->first_line,
                              .fields = reader->fields,
                              .count = reader->count};
    move_start(reader, end);
    return event;
}

/* Waits for bytes, so many from the start of the buffer. */
static enum reader_event wait_for(struct reader *reader, size_t needed)
{
    reader->needed = needed;
    return READER_MORE;
}

/* Gives the record up: reading goes on after its <EOR>. What is wrong before an <EOH> is none of
 * our business: no fault then (READER_MORE). */
static enum reader_event give_up(struct reader *reader, struct attempt *attempt, size_t at,
                                 struct text field, const char *reason, struct reader_fault *fault)
{
    struct text rest = {reader->bytes.bytes + at, reader->bytes.length - at};
    size_t record_end = lengths_find_mark(rest, "<EOR>");
    size_t header_end = lengths_find_mark(rest, "<EOH>");
    if (header_end < record_end) {
        move_start(reader, at + header_end + MARK_BYTES);
        return READER_MORE;
    }
    if (record_end == rest.length && !reader->finished)
        return wait_for(reader, reader->bytes.length + 1);
    *fault = (struct reader_fault){.number = ++reader->number,
                                   .line = line_of(reader, attempt, at),
                                   .field = field,
                                   .reason = reason};
    move_start(reader, record_end < rest.length ? at + record_end + MARK_BYTES : at + rest.length);
    return READER_WRONG;
}

/* Takes the field with this tag, whose < is at `at`; READER_END: it is taken, read on. */
static enum reader_event take_field(struct reader *reader, struct attempt *attempt, size_t at,
                                    const struct tag *tag, struct reader_fault *fault)
{
    struct text all = {reader->bytes.bytes, reader->bytes.length};
    struct lengths_value value;
    if (attempt->mark < tag->end)
        attempt->mark =
            tag->end +
            lengths_find_mark((struct text){all.bytes + tag->end, all.length - tag->end}, "<EOR>");
    switch (
        lengths_find_value(all, tag->end, tag->length, attempt->mark, reader->finished, &value)) {
    case LENGTHS_MORE:
        return wait_for(reader, value.end);
    case LENGTHS_WRONG:
        return give_up(reader, attempt, at, tag->name, value.reason, fault);
    case LENGTHS_FIT:
        break;
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
    struct tag tag = read_tag(reader, at);
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
    move_start(reader, tag.end); /* nothing was between two of them */
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

void reader_feed(struct reader *reader, const void *bytes, size_t length)
{
    struct buffer *buffer = &reader->bytes;
    if (reader->start > 0) {
        buffer->length -= reader->start;
        memmove(buffer->bytes, buffer->bytes + reader->start, buffer->length);
        reader->scanned -= reader->start;
        reader->needed -= reader->needed > reader->start ? reader->start : reader->needed;
        reader->start = 0;
    }
    buffer_append(buffer, bytes, length);
}

void reader_finish(struct reader *reader)
{
    reader->finished = true;
}

/* Looks for the next <EOR>; false: there is none yet. */
static bool has_record(struct reader *reader)
{
    if (reader->scanned == reader->bytes.length)
        return false;
    struct text rest = {reader->bytes.bytes + reader->scanned,
                        reader->bytes.length - reader->scanned};
    size_t found = lengths_find_mark(rest, "<EOR>");
    reader->scanned += found;
    if (found < rest.length)
        return true;
    size_t overlap = rest.length < MARK_BYTES - 1 ? rest.length : MARK_BYTES - 1;
    reader->scanned -= overlap; /* it may have begun there */
    return false;
}

/* Passes over what belongs to a record that was given up; true once its <EOR> was found. */
static bool skip(struct reader *reader)
{
    bool found = has_record(reader);
    move_start(reader, found ? reader->scanned + MARK_BYTES : reader->scanned);
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
    for (;;) {
        if (reader->skipping && !skip(reader))
            return reader->finished ? READER_END : READER_MORE;
        bool ready = has_record(reader) && reader->needed <= reader->bytes.length;
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
