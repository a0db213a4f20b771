/* Prints text into arrays of a fixed size. No other file uses snprintf and its relatives, because
 * they return the length of the whole text, which can exceed the array. */
#ifndef QSOSYNC_BASE_FORMAT_H
#define QSOSYNC_BASE_FORMAT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* Prints as much of the text as fits into an array of `size` bytes (at least one), with a NUL.
 * Returns the number of bytes before the NUL, always less than `size`; 0 if the text cannot be
 * printed. */
size_t format_cut(char *out, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
size_t format_cut_list(char *out, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/* Prints the text if the text and a NUL fit into an array of `size` bytes. Otherwise returns false,
 * and the array contains part of the text. */
bool format_whole(char *out, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Prints as format_whole does. *length receives the length of the whole text in bytes, without the
 * NUL: `size` or more if the result is false, and 0 if the text cannot be printed. */
bool format_whole_list(char *out, size_t size, size_t *length, const char *format,
                       va_list arguments) __attribute__((format(printf, 4, 0)));

#endif
