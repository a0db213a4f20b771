/* Converts hexadecimal digits and percent-encoded text. Allocates no memory. */
#include "base/text_hex.h"

#include <ctype.h>

/* Returns the value of a hexadecimal digit, or -1. */
static int hex_value(char character)
{
    int letter = toupper((unsigned char)character);
    return isdigit(letter) ? letter - '0' : isxdigit(letter) ? letter - 'A' + 10 : -1;
}

bool text_percent_decode(struct text text, char *out, size_t *out_length)
{
    size_t length = 0;
    for (size_t i = 0; i < text.length; i++) {
        char byte = text.bytes[i];
        if (byte == '%') {
            if (text.length - i < 3 || !text_parse_hex((struct text){text.bytes + i + 1, 2}, &byte))
                return false;
            i += 2;
        }
        out[length++] = byte;
    }
    *out_length = length;
    return true;
}

bool text_parse_hex(struct text text, void *out)
{
    unsigned char *byte = out;
    for (size_t i = 0; i + 1 < text.length; i += 2) {
        int high = hex_value(text.bytes[i]), low = hex_value(text.bytes[i + 1]);
        if (high < 0 || low < 0)
            return false;
        *byte++ = (unsigned char)(high << 4 | low);
    }
    return text.length % 2 == 0;
}

void text_format_hex(const void *bytes, size_t length, char *out)
{
    static const char digits[] = "0123456789abcdef";
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < length; i++) {
        *out++ = digits[byte[i] >> 4];
        *out++ = digits[byte[i] & 15];
    }
}
