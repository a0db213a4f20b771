/* Declares the checks for a logbook and its machine, in the order in which examine.c runs them. */
#ifndef QSOSYNC_DOCTOR_CHECKS_H
#define QSOSYNC_DOCTOR_CHECKS_H

#include <stdbool.h>

#include "doctor/examination.h"

/* Checks that the logbook exists, and checks its owner, mode, folder and disk. Returns false if a
 * fault makes the logbook unusable, so that an attempt to open the logbook would only fail again.
 */
bool files_check(struct examination *seen);
bool folder_check(struct examination *seen);
void disk_check(struct examination *seen);

/* Sets seen->writer. Call this function before the process opens the logbook, because closing the
 * -shm file would release the locks of the process (fcntl(2)). */
void lock_find_writer(struct examination *seen);

/* Checks the logbook, and leaves it open in doctor->store if it can be read. Runs as the owner of
 * the files, because users other than root have written their content. logbook_check_content checks
 * a logbook that is already open. */
void logbook_check(struct examination *seen);
void logbook_check_content(struct examination *seen);

/* Checks the units with their sockets, the workers, the logbook's write lock, the programs, and the
 * cluster feed's port. */
void workers_check(struct examination *seen);

/* Returns whether the API's unit serves the logbook and the unit's socket accepts connections. */
bool sockets_are_reached(struct examination *seen);

/* Checks the web server on this machine that has a site for QSOsync, or reports that such a site is
 * missing. Returns false after a finding, except FRONT_OUTDATED. */
bool fronts_check(struct examination *seen);

#endif
