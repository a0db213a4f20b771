/* The checks of a logbook and its machine. examine.c runs them in this order. */
#ifndef QSOSYNC_DOCTOR_CHECKS_H
#define QSOSYNC_DOCTOR_CHECKS_H

#include <stdbool.h>

#include "doctor/examination.h"

/* Checks that the logbook exists, and its owner, mode, folder and disk. Returns false if a fault
 * makes the logbook unusable, so that opening it would only fail again. */
bool files_check(struct examination *seen);
bool folder_check(struct examination *seen);
void disk_check(struct examination *seen);

/* Sets seen->writer. Call it before this process opens the logbook: closing the file would release
 * this process's locks (fcntl(2)). */
void lock_find_writer(struct examination *seen);

/* Checks the logbook, and leaves it open in doctor->store if it can be read. Runs as the owner of
 * the files, because other users have written them. logbook_check_content checks an open logbook.
 */
void logbook_check(struct examination *seen);
void logbook_check_content(struct examination *seen);

/* Checks the units with their sockets, the workers, the lock that they share, and their programs.
 */
void workers_check(struct examination *seen);

/* Returns whether the units serve the logbook, and something accepts connections on the API's
 * socket. */
bool sockets_are_reached(struct examination *seen);

/* Checks the web servers of this machine that have a site of QSOsync. Returns false after a
 * finding. */
bool fronts_check(struct examination *seen);

#endif
