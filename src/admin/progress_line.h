/* Shows a command's progress in a line on the terminal. */
#ifndef QSOSYNC_ADMIN_PROGRESS_LINE_H
#define QSOSYNC_ADMIN_PROGRESS_LINE_H

#include <stdint.h>

/* Enables the progress line if standard error is a terminal. */
void progress_line_begin(void);

/* Shows a phase and its progress: `done` of `total` steps (0: unknown), with a bar. phase NULL:
 * "working". The function is cheap enough to be called at every step. */
void progress_line_show(const char *phase, int64_t done, int64_t total);

/* Removes the progress line. Call this function before anything else is written to the terminal. */
void progress_line_clear(void);

#endif
