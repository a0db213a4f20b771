/* The folder that a file is in. */
#ifndef QSOSYNC_BASE_FOLDER_H
#define QSOSYNC_BASE_FOLDER_H

#include <stdbool.h>

/* Puts on the disk which files the folder of this path holds: what was made, renamed and removed
 * there survives a power cut from then on. False with errno set when that cannot be done. */
bool folder_sync(const char *path);

#endif
