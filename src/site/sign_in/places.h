/* Places for verifying passwords: locked bytes of a file that all workers share. */
#ifndef QSOSYNC_SITE_PLACES_H
#define QSOSYNC_SITE_PLACES_H

#include "base/shared_file.h"

/* Waits for the lock of the table of failed attempts, which is a byte of the shared file. Returns
 * false if locking failed; errno contains the reason. */
bool place_lock_table(const struct shared_file *shared);
void place_unlock_table(const struct shared_file *shared);

/* Occupies a place, for a known device or for a stranger, until the file is closed. Returns false
 * if all places are occupied. */
bool place_take(const struct shared_file *shared, bool is_known);

#endif
