/* A line on the terminal that says how far long work has come. Work of less than a second, and work
 * for a program, shows none. */
#ifndef QSOSYNC_ADMIN_PROGRESS_H
#define QSOSYNC_ADMIN_PROGRESS_H

#include <stdint.h>

/* From now on, if standard error is a terminal. */
void progress_line_begin(void);

/* Shows how far work has come: steps done, of how many (0: not known), with a bar. phase NULL: no
 * word for it. May be called as often as one likes. */
void progress_line_show(const char *phase, int64_t done, int64_t total);

/* Removes the line, before anything else is written to the terminal. */
void progress_line_clear(void);

#endif
