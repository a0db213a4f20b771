/* A growable byte buffer, for response bodies and other output that is assembled piece by piece.
 * The functions do not interpret the content. */
#ifndef QSOSYNC_BASE_BUFFER_H
#define QSOSYNC_BASE_BUFFER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The bytes of a buffer, without a final NUL. A buffer of zero bytes is valid and empty. */
struct buffer {
    char *bytes;
    size_t length;
    size_t capacity;
};

/* Makes space for at least `more` bytes after the current content, and returns the address of that
 * space. The caller adds the number of bytes written to `length`. */
static inline char *buffer_reserve(struct buffer *buffer, size_t more);

/* Append bytes or a string. Both functions are in the header, so that the compiler can use the many
 * constant lengths. */
static inline void buffer_append(struct buffer *buffer, const void *bytes, size_t length);
static inline void buffer_append_string(struct buffer *buffer, const char *string);

/* Append a decimal number or the output of printf. */
void buffer_append_integer(struct buffer *buffer, int64_t value);
void buffer_print(struct buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends two lower-case hexadecimal digits for each byte. */
void buffer_append_hex(struct buffer *buffer, const void *bytes, size_t length);

/* Appends the shortest decimal number that reads back as exactly this double, without an exponent
 * for the magnitudes of coordinates. The value must be finite; minus zero is written as 0. */
void buffer_append_real(struct buffer *buffer, double value);

/* Wipes the content and keeps the memory. */
void buffer_clear(struct buffer *buffer);

/* Frees the memory. The buffer can be used again. */
void buffer_free(struct buffer *buffer);

/* Enlarges a buffer on behalf of buffer_reserve. */
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
