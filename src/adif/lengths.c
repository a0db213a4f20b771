/* Decides what a field's length may mean, by the text after the value: usually white space or the
 * next field. This file examines one field at a time. The reader decides whether a value may
 * contain text that looks like the next record. */
#include "adif/lengths.h"

#include <ctype.h>
#include <string.h>

#include "base/text_utf8.h"

/* A value that contains an <EOR> is accepted up to this size: more than the longest notes. */
#define VALUE_WITH_MARK_MAX 8192

bool lengths_begins_name(char character)
{
    return isalpha((unsigned char)character) || character == '_';
}

/* Whether the byte may follow the first character of a name: letters, digits and underscores. */
static int is_in_word(int byte)
{
    return isalnum(byte) || byte == '_';
}

static int is_zero_or_space(int byte)
{
    return byte == '0' || isspace(byte);
}

/* The number of bytes of the mark with this name at the start of a text of at least one byte. Marks
 * are <EOR>, <eor:0>, <EOR/>, <EOR > and </EOR>. 0: the text does not begin with the mark. */
static size_t measure_mark(struct text text, const char *name)
{
    struct text rest = text_skip(text, 1);
    if (*text.bytes != '<')
        return 0;
    rest = text_skip(rest, rest.length > 0 && *rest.bytes == '/');
    if (!text_begins_ignoring_case(rest, name))
        return 0;
    rest = text_skip(rest, strlen(name));
    rest = text_skip(rest, text_count_leading(rest, isspace));
    if (rest.length > 0 && *rest.bytes == ':')
        rest = text_skip(rest, 1 + text_count_leading(text_skip(rest, 1), is_zero_or_space));
    rest = text_skip(rest, rest.length > 0 && *rest.bytes == '/');
    rest = text_skip(rest, text_count_leading(rest, isspace));
    return rest.length > 0 && *rest.bytes == '>' ? text.length - rest.length + 1 : 0;
}

struct mark lengths_find_mark(struct text bytes, size_t from, const char *name)
{
    while (from < bytes.length) {
        const char *found = memchr(bytes.bytes + from, '<', bytes.length - from);
        if (!found)
            break;
        from = (size_t)(found - bytes.bytes);
        const size_t size = measure_mark(text_skip(bytes, from), name);
        if (size > 0)
            return (struct mark){from, from + size};
        from++;
    }
    return (struct mark){bytes.length, bytes.length};
}

/* -- What follows a value ---------------------------------------------------------------------- */

enum end_match {
    END_MATCH_NONE,
    END_MATCH_GLUED,  /* text follows at once */
    END_MATCH_SPACED, /* white space, then text: a comment as a rule */
    END_MATCH_EXACT   /* the next tag, or nothing more, perhaps after white space */
};

static bool begins_tag(struct text bytes, size_t at)
{
    return bytes.bytes[at] == '<' && at + 1 < bytes.length &&
           lengths_begins_name(bytes.bytes[at + 1]);
}

static enum end_match judge_end(struct text bytes, size_t end)
{
    const size_t space = text_count_leading(text_skip(bytes, end), isspace);
    if (end + space == bytes.length || begins_tag(bytes, end + space) ||
        measure_mark(text_skip(bytes, end + space), MARK_OF_RECORD) > 0)
        return END_MATCH_EXACT;
    return space > 0 ? END_MATCH_SPACED : END_MATCH_GLUED;
}

bool lengths_holds_tag_start(struct text text, bool with_length)
{
    for (size_t at = 0; at < text.length; at++) {
        if (!begins_tag(text, at))
            continue;
        struct text rest = text_skip(text, at + 1);
        rest = text_skip(rest, text_count_leading(rest, is_in_word));
        if (!with_length ||
            (rest.length > 1 && rest.bytes[0] == ':' && isdigit((unsigned char)rest.bytes[1])))
            return true;
    }
    return false;
}

/* Whether the value that ends at `end` may contain the mark, but not as its last word. */
static bool may_hold_mark(struct text bytes, const struct mark *mark, size_t end)
{
    return mark->end <= end &&
           text_count_leading(text_skip(bytes, mark->end), isspace) < end - mark->end;
}

/* Text directly after a value may be a comment, which the format allows, unless it looks like the
 * rest of the value. */
static bool looks_like_comment(struct text bytes, size_t end)
{
    size_t left = bytes.length - end;
    return memchr(";#(){}[]*!|,", bytes.bytes[end], 12) ||
           (left > 1 &&
            (memcmp(bytes.bytes + end, "//", 2) == 0 || memcmp(bytes.bytes + end, "--", 2) == 0));
}

/* -- What a length may have meant -------------------------------------------------------------- */

enum unit {
    UNIT_BYTES,
    UNIT_CHARACTERS,
    UNIT_UTF16 /* how programs in Java, C# and JavaScript count */
};

/* The file's line ends may have been changed since the length was written. */
enum line_end { LINE_END_KEPT, LINE_END_WAS_CR_LF, LINE_END_WAS_LF };

static const struct way {
    enum unit unit;
    enum line_end line_end;
} ways[] = {
    {UNIT_BYTES, LINE_END_KEPT},           {UNIT_CHARACTERS, LINE_END_KEPT},
    {UNIT_UTF16, LINE_END_KEPT},           {UNIT_BYTES, LINE_END_WAS_CR_LF},
    {UNIT_CHARACTERS, LINE_END_WAS_CR_LF}, {UNIT_BYTES, LINE_END_WAS_LF},
    {UNIT_CHARACTERS, LINE_END_WAS_LF},
};

/* How many units of a length the byte counts for. */
static size_t weigh(unsigned char byte, unsigned char before, struct way way)
{
    if (byte == '\n' && way.line_end == LINE_END_WAS_CR_LF && before != '\r')
        return 2;
    if (byte == '\n' && way.line_end == LINE_END_WAS_LF && before == '\r')
        return 0;
    if (way.unit == UNIT_UTF16 && byte >= 0xF0)
        return 2;
    return way.unit == UNIT_BYTES || (byte & 0xC0) != 0x80;
}

/* The position after this number of units, or one after their end if there are fewer. */
static size_t find_end(struct text bytes, size_t start, size_t length, struct way way)
{
    if (way.unit == UNIT_BYTES && way.line_end == LINE_END_KEPT)
        return start + length;
    size_t used = 0, at = start;
    unsigned char before = 0;
    for (; at < bytes.length; at++) {
        unsigned char byte = (unsigned char)bytes.bytes[at];
        size_t weight = weigh(byte, before, way);
        if (used + weight > length || (used == length && weight > 0))
            break;
        used += weight;
        before = byte;
    }
    return used == length ? at : bytes.length + 1;
}

const char *lengths_find_value(struct text bytes, size_t start, size_t length,
                               const struct mark *mark, struct lengths_value *out)
{
    const size_t end = start + length;
    *out = (struct lengths_value){0};
    if (end > mark->begin && length > VALUE_WITH_MARK_MAX && mark->begin < bytes.length)
        return "is longer than its record";
    enum end_match best = END_MATCH_NONE;
    for (size_t i = 0; i < sizeof ways / sizeof *ways && best != END_MATCH_EXACT; i++) {
        /* only a length in bytes may reach past an <EOR> */
        const struct text within = {bytes.bytes, i == 0 ? bytes.length : mark->begin};
        const size_t candidate = find_end(within, start, length, ways[i]);
        if (candidate > within.length ||
            (ways[i].unit != UNIT_BYTES && !text_is_utf8(bytes.bytes + start, candidate - start)))
            continue;
        enum end_match match = judge_end(bytes, candidate);
        if (candidate > mark->begin &&
            (match != END_MATCH_EXACT || !may_hold_mark(bytes, mark, candidate)))
            match = END_MATCH_NONE;
        if (match > best) {
            best = match;
            out->end = candidate;
        }
    }
    if (best == END_MATCH_NONE)
        return mark->begin < bytes.length ? "is longer than its record" : "is longer than the file";
    /* with the next character: the value may end inside a tag */
    struct text value = {bytes.bytes + start, out->end - start + (out->end < bytes.length)};
    if (best == END_MATCH_GLUED && lengths_holds_tag_start(value, false))
        return "has a length that ends inside another field";
    out->is_exact = best == END_MATCH_EXACT;
    out->holds_record =
        out->end > mark->end &&
        lengths_holds_tag_start((struct text){bytes.bytes + mark->end, out->end - mark->end}, true);
    out->cut = best == END_MATCH_GLUED && !looks_like_comment(bytes, out->end);
    return NULL;
}

/* Reads one tag, such as <CALL:5>. Distinguishes tags from text that only looks like them, and
 * reports faults in a tag's length. reader.c and lengths.c find the end of the value and handle a
 * wrong length. */

#define TAG_MAX 160 /* bytes of <NAME:LENGTH:TYPE> */

/* Whether the byte may be part of a name: printable, and not a delimiter of ADIF. */
static int is_in_name(int byte)
{
    return byte >= ' ' && !memchr("<>:{}", byte, 5);
}

/* LoTW's files end with <APP_LoTW_EOF>, others with <EOF>. */
static bool is_mark(struct text name)
{
    if (text_equals_ignoring_case(name, "EOF"))
        return true;
    return name.length > 8 && text_begins_ignoring_case(name, "APP_") &&
           text_equals_ignoring_case((struct text){name.bytes + name.length - 4, 4}, "_EOF");
}

/* Sets the kind of a tag that contains only a name. */
static void judge_name(struct tag *tag)
{
    if (is_mark(tag->name))
        tag->kind = TAG_MARK;
    else if (lengths_begins_name(tag->name.bytes[0]) &&
             text_count_leading(tag->name, is_in_word) == tag->name.length) {
        tag->kind = TAG_WRONG;
        tag->reason = "has no length";
    }
}

static void judge_length(struct tag *tag, struct text length)
{
    int64_t number;
    tag->kind = TAG_WRONG;
    if (length.length == 0)
        tag->kind = TAG_FIELD;
    else if (length.bytes[0] == '-')
        tag->reason = "has a negative length";
    else if (strspn(length.bytes, "0123456789") < length.length)
        tag->reason = "has a length that is not a number";
    else if (!text_parse_integer(length, 0, TAG_LENGTH_MAX, &number))
        tag->reason = "has an impossible length";
    else {
        tag->kind = TAG_FIELD;
        tag->length = (size_t)number;
        tag->has_length = true;
    }
}

/* A tag without an end within the bound is text, unless it begins like a tag with a length. */
static void judge_beginning(struct tag *tag, struct text length)
{
    if (!length.bytes || (length.length > 0 && !memchr("-0123456789", length.bytes[0], 11)))
        return;
    tag->kind = TAG_WRONG;
    tag->reason = "has an impossible length";
}

/* Whether the tag is a mark with this name. */
static bool take_mark(struct tag *tag, struct text bytes, size_t at, const char *name,
                      enum tag_kind kind)
{
    const size_t size = measure_mark(text_skip(bytes, at), name);
    if (size > 0)
        *tag = (struct tag){.kind = kind, .end = at + size};
    return size > 0;
}

struct tag tag_read(struct text bytes, size_t at)
{
    struct tag tag = {.kind = TAG_NONE, .end = at + 1};
    if (take_mark(&tag, bytes, at, MARK_OF_RECORD, TAG_RECORD_END) ||
        take_mark(&tag, bytes, at, MARK_OF_HEADER, TAG_HEADER_END))
        return tag;
    const struct text rest = text_skip(bytes, at + 1);
    const char *end = memchr(rest.bytes, '>', rest.length < TAG_MAX ? rest.length : TAG_MAX);
    if (!end && rest.length < TAG_MAX)
        return tag;
    struct text length = {rest.bytes, end ? (size_t)(end - rest.bytes) : TAG_MAX};
    tag.name = text_split_next(&length, ':');
    if (length.bytes)
        tag.name = text_trim(tag.name);
    if (tag.name.length == 0 || tag.name.length > TAG_NAME_MAX ||
        text_count_leading(tag.name, is_in_name) < tag.name.length)
        return tag;
    if (!end)
        judge_beginning(&tag, text_trim(length));
    else if (length.bytes)
        judge_length(&tag, text_trim(text_split_next(&length, ':')));
    else
        judge_name(&tag);
    if (end && tag.kind != TAG_NONE)
        tag.end = (size_t)(end - bytes.bytes) + 1;
    return tag;
}
