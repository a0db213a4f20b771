/* The checks of a logbook before it is opened: files, owners, modes, disk. */
#ifndef QSOSYNC_DOCTOR_CHECK_FILES_H
#define QSOSYNC_DOCTOR_CHECK_FILES_H

#include "doctor/examination.h"

/* False where there is no file that other checks could look at. */
bool check_files_find(struct examination *seen);

/* False where the files beside it, or the rights to them, keep the logbook from being opened: what
 * an attempt would say is a consequence. */
bool check_files_owners(struct examination *seen);
bool check_files_folder(struct examination *seen);

void check_files_space(struct examination *seen);
void check_files_system(struct examination *seen);

#endif
