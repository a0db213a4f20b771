/* Prints text into arrays of a fixed size. Only format_whole_list reports a length that can exceed
 * the array. Allocates nothing, so that messages can be printed even when memory has run out.
 * base/buffer.c prints text of any length. */
#include "base/format.h"

#include <stdio.h>

bool format_whole_list(char *out, size_t size, size_t *length, const char *format,
                       va_list arguments)
{
    const int printed = vsnprintf(out, size, format, arguments);
    *length = printed < 0 ? 0 : (size_t)printed;
    if (printed < 0)
        *out = '\0';
    return *length < size;
}

size_t format_cut_list(char *out, size_t size, const char *format, va_list arguments)
{
    size_t length;
    return format_whole_list(out, size, &length, format, arguments) ? length : size - 1;
}

size_t format_cut(char *out, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const size_t length = format_cut_list(out, size, format, arguments);
    va_end(arguments);
    return length;
}

bool format_whole(char *out, size_t size, const char *format, ...)
{
    size_t length;
    va_list arguments;
    va_start(arguments, format);
    const bool fits = format_whole_list(out, size, &length, format, arguments);
    va_end(arguments);
    return fits;
}
