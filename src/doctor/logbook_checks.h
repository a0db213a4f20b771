/* Declares the checks for an open logbook, in the order in which check_logbook.c runs them. */
#ifndef QSOSYNC_DOCTOR_LOGBOOK_CHECKS_H
#define QSOSYNC_DOCTOR_LOGBOOK_CHECKS_H

#include <stdbool.h>

#include "doctor/examination.h"
#include "store/log/logbook_status.h"

void state_check(struct examination *seen, const struct logbook_status *status);

/* Returns whether the content has a problem, or could not be read. */
bool content_check(struct examination *seen);

void backups_check(struct examination *seen, bool has_problem);
void storage_check(struct examination *seen);
void peers_check(struct examination *seen);

#endif
