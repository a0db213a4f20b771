/* A growable byte buffer: response bodies and everything else that is assembled piece by piece.
 *
 * Knows how numbers are written, and nothing about what they mean. */
#ifndef QSOSYNC_BASE_BUFFER_H
#define QSOSYNC_BASE_BUFFER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* All zero is a valid empty buffer. bytes is not NUL-terminated. */
struct buffer {
    char *bytes;
    size_t length;
    size_t capacity;
};

/* Space for at least `more` bytes after the present ones; returns where they go. The
 * caller adds what it wrote to length. */
static inline char *buffer_reserve(struct buffer *buffer, size_t more);

/* In the header, so that the compiler sees the many constant lengths. */
static inline void buffer_append(struct buffer *buffer, const void *bytes, size_t length);
static inline void buffer_append_string(struct buffer *buffer, const char *string);

/* Append a number in decimal, and what printf would print. */
void buffer_append_integer(struct buffer *buffer, int64_t value);
void buffer_print(struct buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Two lower-case hexadecimal digits for each byte. */
void buffer_append_hex(struct buffer *buffer, const void *bytes, size_t length);

/* The shortest decimal number that reads back as exactly this double, without an exponent for
 * the magnitudes that occur in coordinates. The value is finite; minus zero is written as 0. */
void buffer_append_real(struct buffer *buffer, double value);

/* Wipes what it holds and keeps its memory. */
void buffer_clear(struct buffer *buffer);

/* Gives its memory back. The buffer can be used again. */
void buffer_free(struct buffer *buffer);

/* The slow path of buffer_reserve, when the capacity is too small. */
void buffer_grow(struct buffer *buffer, size_t more);

static inline char *buffer_reserve(struct buffer *buffer, size_t more)
{
    if (buffer->bytes == NULL || buffer->capacity - buffer->length < more)
        buffer_grow(buffer, more);
    return buffer->bytes + buffer->length;
}

static inline void buffer_append(struct buffer *buffer, const void *bytes, size_t length)
{
    if (length > 0) {
        memcpy(buffer_reserve(buffer, length), bytes, length);
        buffer->length += length;
    }
}

static inline void buffer_append_string(struct buffer *buffer, const char *string)
{
    buffer_append(buffer, string, strlen(string));
}

#endif
