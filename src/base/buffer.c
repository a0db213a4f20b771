/* Enlarges buffers and appends text to them. A buffer never shrinks by itself. */
#include "base/buffer.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/format.h"
#include "base/text_hex.h"

#define SMALLEST_CAPACITY ((size_t)256)

void buffer_grow(struct buffer *buffer, size_t more)
{
    assert(more <= SIZE_MAX / 4 && buffer->length <= SIZE_MAX / 4);
    size_t capacity = buffer->capacity > 0 ? buffer->capacity : SMALLEST_CAPACITY;
    while (capacity - buffer->length < more)
        capacity *= 2;
    buffer->bytes = memory_resize(buffer->bytes, capacity);
    buffer->capacity = capacity;
}

/* Appends nothing if printing fails. */
void buffer_print(struct buffer *buffer, const char *format, ...)
{
    size_t space = 64, length;
    for (bool fits = false; !fits; space = length + 1) {
        char *end = buffer_reserve(buffer, space);
        va_list arguments;
        va_start(arguments, format);
        fits = format_whole_list(end, space, &length, format, arguments);
        va_end(arguments);
    }
    buffer->length += length;
}

void buffer_clear(struct buffer *buffer)
{
    if (buffer->length > 0)
        explicit_bzero(buffer->bytes, buffer->length);
    buffer->length = 0;
}

void buffer_append_hex(struct buffer *buffer, const void *bytes, size_t length)
{
    text_format_hex(bytes, length, buffer_reserve(buffer, 2 * length));
    buffer->length += 2 * length;
}

void buffer_free(struct buffer *buffer)
{
    free(buffer->bytes);
    *buffer = (struct buffer){0};
}
