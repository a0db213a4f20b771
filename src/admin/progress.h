/* A line on the terminal that says how far long work has come. Work of less than a second, and work
 * for a program, shows none. */
#ifndef QSOSYNC_ADMIN_PROGRESS_H
#define QSOSYNC_ADMIN_PROGRESS_H

/* From now on, if standard error is a terminal. */
void progress_line_begin(void);

/* Removes the line, before anything else is written to the terminal. */
void progress_line_clear(void);

#endif
