/* The checks of a logbook and its machine, which examine.c runs, and what they tell each other. */
#ifndef QSOSYNC_DOCTOR_CHECKS_H
#define QSOSYNC_DOCTOR_CHECKS_H

#include "doctor/examination.h"
#include "doctor/findings.h"

/* Checks the logbook, and leaves it open to read if it can be read. Runs as the owner of the files,
 * because others have written them. The second function checks the content of an open logbook. */
void logbook_check(struct examination *seen);
void logbook_check_content(struct examination *seen);

/* Check files, owners, modes, folder and disk. False: a fault makes the logbook unusable, so
 * opening it would only fail again. */
bool files_check(struct examination *seen);
void files_check_disk(struct examination *seen);

/* Fills seen->writer, before this process opens the logbook: it would lose its locks (fcntl(2)). */
void workers_find_writer(struct examination *seen);

/* Another logbook that a unit names or, if `running`, that a worker of this user serves; NULL:
 * none. */
const char *workers_find_other(struct examination *seen, bool running);

/* Whether the units of this machine serve the logbook, and the API's socket is answered. */
bool workers_are_reached(struct examination *seen);

/* Units with their sockets, the workers, the lock that they share, their programs. */
void workers_check(struct examination *seen);

/* A command about the logbook, run as the user that its workers run as. */
const char *workers_command(struct examination *seen, const char *command);

/* Enables a shipped timer and starts its service; `otherwise` where these do not fit. */
const char *workers_fix_by_timer(struct examination *seen, const char *name, const char *otherwise);

/* Whether the web servers of this machine that have a site of QSOsync run, and why they do not.
 * False: there is trouble. */
bool fronts_check(struct examination *seen);

/* Whether the web server may use a file so, or else adds the finding; `what` says how. */
bool fronts_may(struct examination *seen, const char *check, const char *fix, const char *what,
                const char *path, mode_t bits);

/* Whether a site of the service's name is here; and its certificate's file, NULL: none. */
bool fronts_have_site(struct examination *seen, const char **certificate);

#endif
