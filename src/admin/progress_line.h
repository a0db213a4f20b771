/* A line on the terminal that shows how far a command has come. */
#ifndef QSOSYNC_ADMIN_PROGRESS_LINE_H
#define QSOSYNC_ADMIN_PROGRESS_LINE_H

#include <stdint.h>

/* Enables the line if standard error is a terminal. */
void progress_line_begin(void);

/* Shows a phase and its progress: `done` of `total` steps (0: unknown), with a bar. phase NULL:
 * "working". Cheap enough for every step. */
void progress_line_show(const char *phase, int64_t done, int64_t total);

/* Removes the line. Call it before anything else is written to the terminal. */
void progress_line_clear(void);

#endif
