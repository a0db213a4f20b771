/* Distinguishes tags from text that only looks like a tag, and reports faults in a tag's length.
 * reader.c and lengths.c find the end of the value and handle a wrong length. */
#include "adif/tag.h"

#include <ctype.h>
#include <string.h>

#define TAG_MAX 160 /* maximum length of <NAME:LENGTH:TYPE> */

bool tag_begins_name(char character)
{
    return isalpha((unsigned char)character) || character == '_';
}

/* Returns whether the byte can follow the first character of a name: a letter, a digit or an
 * underscore. */
static int is_in_word(int byte)
{
    return isalnum(byte) || byte == '_';
}

static int is_zero_or_space(int byte)
{
    return byte == '0' || isspace(byte);
}

size_t tag_measure_mark(struct text text, const char *name)
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

struct mark tag_find_mark(struct text bytes, size_t from, const char *name)
{
    while (from < bytes.length) {
        const char *found = memchr(bytes.bytes + from, '<', bytes.length - from);
        if (!found)
            break;
        from = (size_t)(found - bytes.bytes);
        const size_t size = tag_measure_mark(text_skip(bytes, from), name);
        if (size > 0)
            return (struct mark){from, from + size};
        from++;
    }
    return (struct mark){bytes.length, bytes.length};
}

bool tag_begins_at(struct text bytes, size_t at)
{
    return bytes.bytes[at] == '<' && at + 1 < bytes.length && tag_begins_name(bytes.bytes[at + 1]);
}

bool tag_begins_in(struct text text, bool with_length)
{
    for (size_t at = 0; at < text.length; at++) {
        if (!tag_begins_at(text, at))
            continue;
        struct text rest = text_skip(text, at + 1);
        rest = text_skip(rest, text_count_leading(rest, is_in_word));
        if (!with_length ||
            (rest.length > 1 && rest.bytes[0] == ':' && isdigit((unsigned char)rest.bytes[1])))
            return true;
    }
    return false;
}

/* Returns whether the byte can be part of a name: printable, and not a delimiter in ADIF. */
static int is_in_name(int byte)
{
    return byte >= ' ' && !memchr("<>:{}", byte, 5);
}

bool tag_is_name(struct text name)
{
    const struct text word = text_skip(name, name.length > 0 && *name.bytes == '/');
    return name.length > 0 && name.length <= TAG_NAME_MAX &&
           text_count_leading(name, is_in_name) == name.length &&
           !text_equals_ignoring_case(word, MARK_OF_RECORD) &&
           !text_equals_ignoring_case(word, MARK_OF_HEADER);
}

/* Returns whether the name marks the end of a file: EOF, or a program's own name, such as
 * APP_LoTW_EOF. */
static bool is_mark(struct text name)
{
    if (text_equals_ignoring_case(name, "EOF"))
        return true;
    return name.length > 8 && text_begins_ignoring_case(name, "APP_") &&
           text_equals_ignoring_case((struct text){name.bytes + name.length - 4, 4}, "_EOF");
}

/* Sets the kind of a tag that contains only a name. */
static void set_kind_of_name(struct tag *tag)
{
    if (is_mark(tag->name))
        tag->kind = TAG_MARK;
    else if (tag_begins_name(tag->name.bytes[0]) &&
             text_count_leading(tag->name, is_in_word) == tag->name.length) {
        tag->kind = TAG_WRONG;
        tag->reason = "has no length";
    }
}

static void set_kind_by_length(struct tag *tag, struct text length)
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

/* Sets the kind of a tag without a ">" in its first TAG_MAX bytes. The tag is only text, unless it
 * begins like a tag with a length. */
static void set_kind_of_unclosed(struct tag *tag, struct text length)
{
    if (!length.bytes || (length.length > 0 && !memchr("-0123456789", length.bytes[0], 11)))
        return;
    tag->kind = TAG_WRONG;
    tag->reason = "has an impossible length";
}

/* Returns whether a mark with this name is at this position; if so, fills *tag. */
static bool take_mark(struct tag *tag, struct text bytes, size_t at, const char *name,
                      enum tag_kind kind)
{
    const size_t size = tag_measure_mark(text_skip(bytes, at), name);
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
        set_kind_of_unclosed(&tag, text_trim(length));
    else if (length.bytes)
        set_kind_by_length(&tag, text_trim(text_split_next(&length, ':')));
    else
        set_kind_of_name(&tag);
    if (end && tag.kind != TAG_NONE)
        tag.end = (size_t)(end - bytes.bytes) + 1;
    return tag;
}
