/* The checks of a logbook that is open. */
#ifndef QSOSYNC_DOCTOR_CHECK_CONTENT_H
#define QSOSYNC_DOCTOR_CHECK_CONTENT_H

#include "doctor/examination.h"

/* Schema, write-ahead log, stamps, content, backups and own address of the logbook in
 * doctor->store. seen->file is filled. */
void check_content(struct examination *seen);

/* One finding for a logbook that cannot be opened or read; `what` says what failed. */
void check_content_report_failure(struct examination *seen, const char *check, const char *what);

#endif
