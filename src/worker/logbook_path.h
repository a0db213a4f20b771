/* Where the logbook of an installation is. */
#ifndef QSOSYNC_WORKER_LOGBOOK_PATH_H
#define QSOSYNC_WORKER_LOGBOOK_PATH_H

/* The path of the logbook unless somebody says otherwise. Programs that were installed have it from
 * configure. Portable ones, which may lie anywhere, look for a folder "qsosync" beside the folder
 * that they are in, then beside the one above, and so on: the first that belongs to the same user
 * as the program itself; where there is none, the path is one that leads nowhere. */
const char *logbook_path_default(void);

#endif
