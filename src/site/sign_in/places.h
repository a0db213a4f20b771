/* Places for verifying passwords: locked bytes of a file that all workers share. */
#ifndef QSOSYNC_SITE_PLACES_H
#define QSOSYNC_SITE_PLACES_H

#include "base/shared_file.h"

/* Waits for the lock of the table of failed attempts, which is a byte of the shared file. Returns
 * false if locking failed; errno contains the reason. */
bool place_lock_table(const struct shared_file *shared);
void place_unlock_table(const struct shared_file *shared);

/* Occupies the place for known devices, or the place for strangers, until the file is closed. A
 * known device waits until its place is free; a stranger waits for at most a second, and only if no
 * other stranger waits. Returns false if the place was not occupied. */
bool place_take(const struct shared_file *shared, bool is_known);

#endif
