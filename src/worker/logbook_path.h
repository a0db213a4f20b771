/* The default path of the logbook. */
#ifndef QSOSYNC_WORKER_LOGBOOK_PATH_H
#define QSOSYNC_WORKER_LOGBOOK_PATH_H

/* Returns the default path of the logbook, which is valid until the program ends. Installed
 * programs have the path from configure. Portable programs can be anywhere: they look for a folder
 * named qsosync next to their own folder, and then next to each parent folder. The first folder
 * that belongs to the program's owner counts. If there is no such folder, the path is that of an
 * installed program. */
const char *logbook_path_default(void);

#endif
