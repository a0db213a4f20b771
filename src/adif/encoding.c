/* Converts texts from other encodings to UTF-8 with iconv. transfer/survey.c finds a file's
 * encoding. lengths.c finds the bytes of a value whose length can count characters. */
#include "adif/encoding.h"

#include <ctype.h>
#include <iconv.h>
#include <stdint.h>
#include <string.h>

#include "adif/record.h"
#include "base/text_utf8.h"

const char *const encoding_candidates[ENCODING_CANDIDATES] = {"CP1250", "CP1251", "CP1252",
                                                              "CP1253", "CP850",  "KOI8-R"};

/* Maximum number of UTF-8 bytes per character. In any encoding, a character has at least one
 * byte. */
#define UTF8_BYTES_MAX 4

struct encoding {
    iconv_t converter;
};

struct encoding *encoding_open(const char *name, struct arena *arena)
{
    char *upper = arena_copy(arena, name, strlen(name));
    text_to_upper(text_of(name), upper);
    const bool is_latin_1 = text_is_one_of(
        text_of(name), "ISO-8859-1 ISO8859-1 ISO_8859-1 LATIN1 LATIN-1 ASCII US-ASCII ANSI");
    /* iconv would interpret text after a slash as an option, such as approximate conversion. */
    if (*name == '\0' || strchr(name, '/'))
        return NULL;
    iconv_t converter = iconv_open("UTF-8", is_latin_1 ? "CP1252" : upper);
    if (converter == (iconv_t)-1)
        return NULL;
    struct encoding *encoding = arena_allocate(arena, sizeof *encoding);
    *encoding = (struct encoding){converter};
    return encoding;
}

void encoding_close(struct encoding *encoding)
{
    iconv_close(encoding->converter);
}

/* Returns whether the UTF-8 text contains control characters other than tabs and line ends, or
 * box-drawing or block characters (U+2500 to U+259F). */
static bool has_unlikely(struct text text)
{
    for (size_t i = 0; i < text.length; i++) {
        const unsigned char byte = (unsigned char)text.bytes[i];
        const unsigned char next = i + 1 < text.length ? (unsigned char)text.bytes[i + 1] : 0;
        if ((byte < ' ' && !memchr("\t\r\n", byte, 3)) || byte == 0x7F ||
            (byte == 0xC2 && next < 0xA0) || (byte == 0xE2 && (next == 0x94 || next == 0x95)) ||
            (byte == 0xE2 && next == 0x96 && (unsigned char)text.bytes[i + 2] < 0xA0))
            return true;
    }
    return false;
}

bool encoding_convert(struct encoding *encoding, struct text text, struct arena *arena,
                      struct text *out)
{
    char *in = (char *)(uintptr_t)text.bytes; /* iconv does not change the text */
    size_t in_left = text.length, out_left = UTF8_BYTES_MAX * text.length;
    char *begin = arena_allocate(arena, out_left + 1), *to = begin;
    iconv(encoding->converter, NULL, NULL, NULL, NULL);
    if (iconv(encoding->converter, &in, &in_left, &to, &out_left) == (size_t)-1)
        return false;
    *out = (struct text){begin, (size_t)(to - begin)};
    return true;
}

bool encoding_read(struct encoding *encoding, struct text text, struct arena *arena,
                   struct text *out)
{
    return encoding_convert(encoding, text, arena, out) && !has_unlikely(*out);
}

struct text encoding_read_windows_1252(struct text text, struct arena *arena)
{
    if (text.length == 0 || text_is_utf8(text.bytes, text.length))
        return text;
    char *out = arena_allocate(arena, 3 * text.length);
    size_t length = 0;
    while (text.length > 0) {
        size_t step = text_first_length(text);
        unsigned char byte = (unsigned char)text.bytes[0];
        unsigned code = text_from_windows_1252(byte);
        memcpy(out + length, text.bytes, step);
        length += step > 0 ? step : text_put_code_point(code ? code : byte, out + length);
        text = text_skip(text, step > 0 ? step : 1);
    }
    return (struct text){out, length};
}

/* Tests for a byte order mark or for zeros: ADIF begins with ASCII, and in UTF-16 every second byte
 * of ASCII is zero. */
const char *encoding_find_utf16(struct text file)
{
    const char *bytes = file.bytes;
    if (file.length < 4)
        return NULL;
    if (memcmp(bytes, "\xFF\xFE", 2) == 0 || (!bytes[1] && !bytes[3] && bytes[0] && bytes[2]))
        return "UTF-16LE";
    if (memcmp(bytes, "\xFE\xFF", 2) == 0 || (!bytes[0] && !bytes[2] && bytes[1] && bytes[3]))
        return "UTF-16BE";
    return NULL;
}

void encoding_read_record(struct encoding *encoding, struct record *record, struct arena *arena)
{
    for (size_t i = 0; i < record->count; i++) {
        struct record_field *field = &record->fields[i];
        if (text_is_utf8(field->value.bytes, field->value.length))
            continue;
        if (!encoding) {
            field->value = encoding_read_windows_1252(field->value, arena);
            field->notice = "is not in UTF-8, and is read as Windows-1252";
        } else if (!encoding_read(encoding, field->value, arena, &field->value)) {
            field->value.length = 0;
            field->notice = "is not in the encoding of the file";
        }
    }
}

void encoding_percent_encode(struct text text, struct buffer *buffer)
{
    for (size_t i = 0; i < text.length; i++) {
        unsigned char byte = (unsigned char)text.bytes[i];
        if (byte < ' ' || byte > '~' || byte == '%' || byte == '<')
            buffer_print(buffer, "%%%02X", byte);
        else
            buffer_append(buffer, text.bytes + i, 1);
    }
}

struct text encoding_take(struct buffer *buffer, struct arena *arena)
{
    struct text text = {NULL, buffer->length};
    if (buffer->length > 0)
        text.bytes = arena_copy(arena, buffer->bytes, buffer->length);
    buffer_free(buffer);
    return text;
}

bool encoding_is_ascii(struct text text)
{
    return text_count_leading(text, isascii) == text.length;
}
