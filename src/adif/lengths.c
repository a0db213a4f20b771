/* Decides what a field's length means from the text after the value, which is usually white space
 * or the next field. This file examines one field at a time. The reader decides whether a value can
 * contain text that looks like the next record. */
#include "adif/lengths.h"

#include <ctype.h>
#include <string.h>

#include "adif/tag.h"
#include "base/text_utf8.h"

/* Maximum number of bytes of a value that contains an <EOR>. The longest notes have fewer bytes. */
#define VALUE_WITH_MARK_MAX 8192

enum end_match {
    END_MATCH_NONE,
    END_MATCH_GLUED,  /* other text follows directly */
    END_MATCH_SPACED, /* white space follows, and then other text: usually a comment */
    END_MATCH_EXACT   /* the next tag or the end of the file follows, perhaps after white space */
};

static enum end_match match_end(struct text bytes, size_t end)
{
    const size_t space = text_count_leading(text_skip(bytes, end), isspace);
    if (end + space == bytes.length || tag_begins_at(bytes, end + space) ||
        tag_measure_mark(text_skip(bytes, end + space), MARK_OF_RECORD) > 0)
        return END_MATCH_EXACT;
    return space > 0 ? END_MATCH_SPACED : END_MATCH_GLUED;
}

/* Returns whether the value that ends at `end` can contain the mark. Text other than white space
 * must follow the mark in the value. */
static bool may_hold_mark(struct text bytes, const struct mark *mark, size_t end)
{
    return mark->end <= end &&
           text_count_leading(text_skip(bytes, mark->end), isspace) < end - mark->end;
}

/* Returns whether the text directly after a value looks like a comment, which the format allows,
 * and not like the rest of the value. */
static bool looks_like_comment(struct text bytes, size_t end)
{
    size_t left = bytes.length - end;
    return memchr(";#(){}[]*!|,", bytes.bytes[end], 12) ||
           (left > 1 &&
            (memcmp(bytes.bytes + end, "//", 2) == 0 || memcmp(bytes.bytes + end, "--", 2) == 0));
}

enum unit {
    UNIT_BYTES,
    UNIT_CHARACTERS,
    UNIT_UTF16 /* UTF-16 code units, which programs in Java, C# and JavaScript count */
};

/* The line ends in the file when the length was written. A later conversion may have changed the
 * file, but not the length. */
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

/* Returns the number of units that this byte adds to the length. */
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

/* Returns the position after this number of units. If no position fits the number, returns a
 * position beyond the end of the bytes. */
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
        /* Only a length in bytes, with unchanged line ends, can extend past an <EOR>. */
        const struct text within = {bytes.bytes, i == 0 ? bytes.length : mark->begin};
        const size_t candidate = find_end(within, start, length, ways[i]);
        if (candidate > within.length ||
            (ways[i].unit != UNIT_BYTES && !text_is_utf8(bytes.bytes + start, candidate - start)))
            continue;
        enum end_match match = match_end(bytes, candidate);
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
    /* Includes the next character, because the value can end with the "<" of a tag. */
    struct text value = {bytes.bytes + start, out->end - start + (out->end < bytes.length)};
    if (best == END_MATCH_GLUED && tag_begins_in(value, false))
        return "has a length that ends inside another field";
    out->is_exact = best == END_MATCH_EXACT;
    out->holds_record =
        out->end > mark->end &&
        tag_begins_in((struct text){bytes.bytes + mark->end, out->end - mark->end}, true);
    out->cut = best == END_MATCH_GLUED && !looks_like_comment(bytes, out->end);
    return NULL;
}
