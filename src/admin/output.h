/* Prints to standard output. */
#ifndef QSOSYNC_ADMIN_OUTPUT_H
#define QSOSYNC_ADMIN_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/buffer.h"

/* Prints a message of success, only if standard output is a terminal. */
void output_report(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints lines, with "?" instead of every invisible character. Texts from other people may be
 * printed only by the functions in this file. */
void output_write(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints the buffer to standard output, and frees it. In JSON, invisible characters become escapes.
 */
void output_print(struct buffer *out, bool is_json);

#endif
