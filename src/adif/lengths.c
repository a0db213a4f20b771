/* Decides what a field's length may have meant, by what follows the value that it would give: as a
 * rule white space or the next field. Looks at one field at a time; the reader decides whether a
 * value may hold what looks like the next record. */
#include "adif/lengths.h"

#include <string.h>

/* A value that contains an <EOR> is accepted up to this size: more than the longest notes. */
#define VALUE_WITH_MARK_MAX 8192

bool lengths_begins_name(char character)
{
    return (character >= 'A' && character <= 'Z') || (character >= 'a' && character <= 'z') ||
           character == '_';
}

static bool is_space(char character)
{
    return character == ' ' || (character >= '\t' && character <= '\r');
}

size_t lengths_find_mark(struct text bytes, const char *mark)
{
    size_t size = strlen(mark), at = 0;
    while (at + size <= bytes.length) {
        const char *found = memchr(bytes.bytes + at, '<', bytes.length - at - size + 1);
        if (!found)
            break;
        at = (size_t)(found - bytes.bytes);
        if (text_equals_ignoring_case((struct text){found, size}, mark))
            return at;
        at++;
    }
    return bytes.length;
}

/* -- What follows a value ---------------------------------------------------------------------- */

enum fit {
    FIT_NONE,
    FIT_GLUED,  /* text follows at once */
    FIT_SPACED, /* white space, then text: a comment as a rule */
    FIT_EXACT   /* the next tag, or nothing more, perhaps after white space */
};

static bool begins_tag(struct text bytes, size_t at)
{
    return bytes.bytes[at] == '<' && at + 1 < bytes.length &&
           lengths_begins_name(bytes.bytes[at + 1]);
}

static enum fit judge_end(struct text bytes, size_t end)
{
    size_t at = end;
    while (at < bytes.length && is_space(bytes.bytes[at]))
        at++;
    if (at == bytes.length || begins_tag(bytes, at))
        return FIT_EXACT;
    return at > end ? FIT_SPACED : FIT_GLUED;
}

/* <NAME:1 or the like, in from..to */
static bool holds_tag(struct text bytes, size_t from, size_t to)
{
    for (size_t at = from; at < to; at++) {
        if (!begins_tag(bytes, at))
            continue;
        size_t colon = at + 1;
        while (colon < to && (lengths_begins_name(bytes.bytes[colon]) ||
                              (bytes.bytes[colon] >= '0' && bytes.bytes[colon] <= '9')))
            colon++;
        if (colon + 1 < to && bytes.bytes[colon] == ':' && bytes.bytes[colon + 1] >= '0' &&
            bytes.bytes[colon + 1] <= '9')
            return true;
    }
    return false;
}

bool lengths_holds_tag_start(struct text text)
{
    for (size_t at = 0; at < text.length; at++)
        if (begins_tag(text, at))
            return true;
    return false;
}

static bool is_blank(struct text bytes, size_t from, size_t to)
{
    for (size_t at = from; at < to; at++)
        if (!is_space(bytes.bytes[at]))
            return false;
    return true;
}

/* May the value that ends at end hold the <EOR> at mark? Not as its last word. */
static bool may_hold_mark(struct text bytes, size_t mark, size_t end)
{
    size_t after = mark + strlen("<EOR>");
    return after <= end && !is_blank(bytes, after, end);
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
    UNIT_UTF16,            /* how programs in Java, C# and JavaScript count */
    UNIT_BYTES_LONG_LINES, /* CR LF of the file have become LF since */
    UNIT_CHARACTERS_LONG_LINES,
    UNIT_COUNT
};

/* How many units of a length the byte counts for. */
static size_t weigh(unsigned char byte, unsigned char before, enum unit unit)
{
    bool long_lines = unit == UNIT_BYTES_LONG_LINES || unit == UNIT_CHARACTERS_LONG_LINES;
    if (long_lines && byte == '\n' && before != '\r')
        return 2;
    if (unit == UNIT_BYTES || unit == UNIT_BYTES_LONG_LINES)
        return 1;
    if (unit == UNIT_UTF16 && byte >= 0xF0)
        return 2;
    return (byte & 0xC0) == 0x80 ? 0 : 1;
}

/* Where so many units end; a position after their end: there are not so many. */
static size_t find_end(struct text bytes, size_t start, size_t length, enum unit unit)
{
    if (unit == UNIT_BYTES)
        return start + length;
    size_t used = 0, at = start;
    unsigned char before = 0;
    for (; at < bytes.length; at++) {
        unsigned char byte = (unsigned char)bytes.bytes[at];
        size_t weight = weigh(byte, before, unit);
        if (used + weight > length || (used == length && weight > 0))
            break;
        used += weight;
        before = byte;
    }
    return used == length ? at : bytes.length + 1;
}

/* Other units than bytes make a difference only for these. */
static bool has_odd_bytes(struct text bytes, size_t start, size_t length)
{
    size_t end = length < bytes.length - start ? start + length : bytes.length;
    for (size_t at = start; at < end; at++)
        if ((unsigned char)bytes.bytes[at] >= 0x80 || bytes.bytes[at] == '\n')
            return true;
    return false;
}

static enum fit judge(struct text bytes, size_t end, size_t mark)
{
    if (end > bytes.length)
        return FIT_NONE;
    enum fit fit = judge_end(bytes, end);
    if (end > mark && (fit != FIT_EXACT || !may_hold_mark(bytes, mark, end)))
        return FIT_NONE;
    return fit;
}

/* Would more of the file help to decide? Not if it is clear already whether a tag or text
 * follows the value. */
static bool is_unsure(struct text bytes, size_t end, size_t mark)
{
    while (end < bytes.length && is_space(bytes.bytes[end]))
        end++;
    return mark == bytes.length || end + 1 >= bytes.length;
}

static enum lengths_result refuse(struct lengths_value *out, const char *reason)
{
    out->reason = reason;
    return LENGTHS_WRONG;
}

enum lengths_result lengths_find_value(struct text bytes, size_t start, size_t length, size_t mark,
                                       bool finished, struct lengths_value *out)
{
    size_t end = start + length;
    *out = (struct lengths_value){0};
    if (end > mark && length > VALUE_WITH_MARK_MAX && mark < bytes.length)
        return refuse(out, "is longer than its record");
    if (!finished && is_unsure(bytes, end, mark)) {
        out->end = (end > bytes.length ? end : bytes.length) + 1;
        return LENGTHS_MORE;
    }
    enum fit best = FIT_NONE;
    struct text near = {bytes.bytes, mark}; /* only a length in bytes may reach past an <EOR> */
    enum unit units = has_odd_bytes(near, start, length) ? UNIT_COUNT : UNIT_CHARACTERS;
    for (enum unit unit = UNIT_BYTES; unit < units && best != FIT_EXACT; unit++) {
        size_t candidate = find_end(unit == UNIT_BYTES ? bytes : near, start, length, unit);
        enum fit fit = judge(bytes, candidate, mark);
        bool counts_characters = unit != UNIT_BYTES && unit != UNIT_BYTES_LONG_LINES;
        if (unit != UNIT_BYTES && candidate > mark)
            continue;
        if (counts_characters && !text_is_utf8(bytes.bytes + start, candidate - start))
            continue;
        if (fit > best) {
            best = fit;
            out->end = candidate;
        }
    }
    if (best == FIT_NONE)
        return refuse(out, mark < bytes.length ? "is longer than its record"
                                               : "is longer than the file");
    /* with the next character: the value may end inside a tag */
    struct text value = {bytes.bytes + start, out->end - start + (out->end < bytes.length)};
    if (best == FIT_GLUED && lengths_holds_tag_start(value))
        return refuse(out, "has a length that ends within another field");
    out->holds_record = out->end > mark && holds_tag(bytes, mark, out->end);
    out->cut = best == FIT_GLUED && !looks_like_comment(bytes, out->end);
    return LENGTHS_FIT;
}

/* Reads one tag, such as <CALL:5>. Distinguishes tags from text that only looks like them, and says
 * what is wrong with a tag's length. Where the value ends, and what follows from a wrong length, is
 * left to reader.c and lengths.c. */

#define TAG_MAX 160 /* bytes of <NAME:LENGTH:TYPE> */

/* What may be part of a name: printable and no sign of ADIF's own. */
static bool is_name(struct text name)
{
    if (name.length == 0 || name.length > TAG_NAME_MAX)
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

/* LoTW's files end with <APP_LoTW_EOF>, others with <EOF>. */
static bool is_mark(struct text name)
{
    if (text_equals_ignoring_case(name, "EOF"))
        return true;
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
        tag->reason = "has a length that is not a number";
    else if (!text_parse_integer(length, 0, TAG_LENGTH_MAX, &number))
        tag->reason = "has a length that no record has";
    else {
        tag->kind = TAG_FIELD;
        tag->length = (size_t)number;
    }
}

/* What does not end within the bound is text, unless it begins as a tag with a length does. */
static void judge_beginning(struct tag *tag, struct text bytes)
{
    const char *colon = memchr(bytes.bytes, ':', bytes.length);
    if (!colon)
        return;
    size_t size = (size_t)(colon - bytes.bytes);
    struct text length = text_trim((struct text){colon + 1, bytes.length - size - 1});
    tag->name = text_trim((struct text){bytes.bytes, size});
    if (!is_name(tag->name) || (length.length > 0 && !memchr("-0123456789", length.bytes[0], 11)))
        return;
    tag->kind = TAG_WRONG;
    tag->reason = "has a length that no record has";
}

struct tag tag_read(struct text bytes, size_t at, bool finished)
{
    struct tag tag = {.kind = TAG_NONE, .end = at + 1};
    const char *rest = bytes.bytes + at + 1;
    size_t available = bytes.length - at - 1;
    const char *end = memchr(rest, '>', available < TAG_MAX ? available : TAG_MAX);
    if (!end) {
        tag.incomplete = available < TAG_MAX && !finished;
        if (available >= TAG_MAX)
            judge_beginning(&tag, (struct text){rest, TAG_MAX});
        return tag;
    }
    size_t size = (size_t)(end - rest);
    const char *colon = memchr(rest, ':', size);
    tag.name = (struct text){rest, colon ? (size_t)(colon - rest) : size};
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
