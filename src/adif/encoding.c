/* Texts of ADIF files become UTF-8. A file does not say which encoding it has, and some files mix
 * several: so the encoding is decided for each value, and in a value that is not valid UTF-8 for
 * each byte. How many bytes a value has, where its length may count characters, is found out in
 * lengths.c. */
#include "adif/encoding.h"

#include <string.h>

/* What Windows-1252 has in the place of the control characters U+0080 to U+009F; 0: nothing, so
 * the control character. */
static const unsigned short windows_1252[32] = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178,
};

/* Two or three bytes of UTF-8; returns how many. */
static size_t put_code_point(unsigned code_point, char *out)
{
    if (code_point < 0x800) {
        out[0] = (char)(0xC0 | code_point >> 6);
        out[1] = (char)(0x80 | (code_point & 0x3F));
        return 2;
    }
    out[0] = (char)(0xE0 | code_point >> 12);
    out[1] = (char)(0x80 | (code_point >> 6 & 0x3F));
    out[2] = (char)(0x80 | (code_point & 0x3F));
    return 3;
}

/* The length of the UTF-8 character that begins here; 0: there is none. */
static size_t measure_character(struct text text)
{
    for (size_t length = 1; length <= 4 && length <= text.length; length++)
        if (text_is_utf8(text.bytes, length))
            return length;
    return 0;
}

struct text encoding_to_utf8(struct text text, struct arena *arena)
{
    if (text.length == 0 || text_is_utf8(text.bytes, text.length))
        return text;
    char *out = arena_allocate(arena, 3 * text.length);
    size_t length = 0;
    while (text.length > 0) {
        size_t step = measure_character(text);
        unsigned char byte = (unsigned char)text.bytes[0];
        if (step > 0) {
            memcpy(out + length, text.bytes, step);
            length += step;
        } else {
            unsigned special = byte < 0xA0 ? windows_1252[byte - 0x80] : 0;
            length += put_code_point(special ? special : byte, out + length);
            step = 1;
        }
        text.bytes += step;
        text.length -= step;
    }
    return (struct text){out, length};
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

bool encoding_is_ascii(struct text text)
{
    for (size_t i = 0; i < text.length; i++)
        if ((unsigned char)text.bytes[i] >= 0x80)
            return false;
    return true;
}
