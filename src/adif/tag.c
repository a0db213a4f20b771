/* Reads one tag, such as <CALL:5>. Distinguishes tags from text that only looks like them, and says
 * what is wrong with a tag's length. Where the value ends, and what follows from a wrong length, is
 * left to reader.c and lengths.c. */
#include "adif/tag.h"

#include <string.h>

#include "adif/lengths.h"

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
        tag->reason = "has a length that is no number";
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
