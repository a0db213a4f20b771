/* Care of an open database; store_checkpoint (store.h) does the work. */
#ifndef QSOSYNC_STORE_CHECKPOINT_H
#define QSOSYNC_STORE_CHECKPOINT_H

#include "store/database.h"

#define CHECKPOINT_MAP_FILE "PRAGMA mmap_size = 1073741824"

/* Notes after each commit how long the log is; one that grows far too long is shortened at once. */
void checkpoint_watch_log(struct store *store);

#endif
