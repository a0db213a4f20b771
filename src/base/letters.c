/* Converts letters to one case. Most texts are ASCII, which needs no table; other letters use
 * utf8proc's tables. The callers decide which texts are compared in this way. */
#include "base/letters.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/text_utf8.h"

static bool is_ascii(struct text text)
{
    unsigned bits = 0;
    for (size_t i = 0; i < text.length; i++)
        bits |= (unsigned char)text.bytes[i];
    return bits < 0x80;
}

static size_t measure_utf8(struct text text)
{
    size_t length = 0, step = 1;
    while (length < text.length && step > 0) {
        step = text_first_length(text_skip(text, length));
        length += step;
    }
    return length;
}

/* Decomposes the text into code points according to the options, and converts each code point with
 * `to`. The caller frees the result, which has space for one more code point. */
static utf8proc_int32_t *map(struct text text, utf8proc_option_t options,
                             utf8proc_int32_t (*to)(utf8proc_int32_t), utf8proc_ssize_t *count)
{
    const utf8proc_uint8_t *bytes = (const utf8proc_uint8_t *)text.bytes;
    const utf8proc_ssize_t length = (utf8proc_ssize_t)measure_utf8(text);
    *count = utf8proc_decompose(bytes, length, NULL, 0, options);
    if (*count < 0)
        *count = 0;
    utf8proc_int32_t *codes = memory_allocate(sizeof *codes * ((size_t)*count + 1));
    utf8proc_decompose(bytes, length, codes, *count, options);
    for (utf8proc_ssize_t i = 0; i < *count; i++)
        codes[i] = to(codes[i]);
    return codes;
}

/* Returns the length of the whole characters that fit into `space` bytes. */
static size_t clip_characters(const char *bytes, size_t length, size_t space)
{
    if (length <= space)
        return length;
    while (space > 0 && ((unsigned char)bytes[space] & 0xC0) == 0x80)
        space--;
    return space;
}

/* Returns the letter in upper case. If the lower case of the result is another letter, returns the
 * letter unchanged: the dotless i, for example, shares its upper case with i, but is a separate
 * letter. */
static utf8proc_int32_t to_upper(utf8proc_int32_t code)
{
    const utf8proc_int32_t upper = utf8proc_toupper(code);
    return utf8proc_tolower(upper) == code ? upper : code;
}

/* Folds the case first, which turns some letters into several; each of these letters is then
 * converted to upper case. */
size_t letters_to_upper(struct text text, char *out, size_t space)
{
    if (is_ascii(text)) {
        text.length = text.length < space ? text.length : space;
        text_to_upper(text, out);
        return text.length;
    }
    utf8proc_ssize_t count;
    utf8proc_int32_t *codes = map(text, UTF8PROC_DECOMPOSE | UTF8PROC_CASEFOLD, to_upper, &count);
    const utf8proc_ssize_t written =
        utf8proc_reencode(codes, count, UTF8PROC_COMPOSE | UTF8PROC_STABLE);
    const char *bytes = (const char *)codes;
    const size_t length = clip_characters(bytes, written > 0 ? (size_t)written : 0, space);
    memcpy(out, bytes, length);
    free(codes);
    return length;
}

/* Converts an ASCII callsign and removes its separators in one loop, for speed: the callsigns of a
 * whole log are converted. */
size_t letters_of_callsign(struct text callsign, char *out, size_t space)
{
    const bool needs_table = !is_ascii(callsign);
    const size_t length = needs_table               ? letters_to_upper(callsign, out, space)
                          : callsign.length < space ? callsign.length
                                                    : space;
    const char *from = needs_table ? out : callsign.bytes;
    size_t kept = 0;
    for (size_t i = 0; i < length; i++) {
        const char byte = from[i];
        if (byte != ' ' && byte != '-' && byte != '.')
            out[kept++] = (char)(byte - (byte >= 'a' && byte <= 'z' ? 'a' - 'A' : 0));
    }
    return kept;
}

struct text letters_to_lower(struct text text, struct arena *arena)
{
    utf8proc_ssize_t count;
    utf8proc_int32_t *codes = map(text, 0, utf8proc_tolower, &count);
    const utf8proc_ssize_t written = utf8proc_reencode(codes, count, 0);
    const size_t length = written > 0 ? (size_t)written : 0;
    const char *lower = arena_copy(arena, codes, length);
    free(codes);
    return (struct text){lower, length};
}
