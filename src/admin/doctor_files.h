/* What the doctor looks at before it opens a logbook: files, owners, modes, disk. */
#ifndef QSOSYNC_ADMIN_DOCTOR_FILES_H
#define QSOSYNC_ADMIN_DOCTOR_FILES_H

#include "admin/examination.h"

/* False where there is no file that other checks could look at. */
bool doctor_look_at_file(struct examination *seen);

/* False where the files beside it, or the rights to them, keep the logbook from being opened: what
 * an attempt would say is a consequence. */
bool doctor_look_at_files(struct examination *seen);
bool doctor_look_at_folder(struct examination *seen);

void doctor_look_at_space(struct examination *seen);
void doctor_look_at_file_system(struct examination *seen);

#endif
