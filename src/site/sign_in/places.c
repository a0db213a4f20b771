/* Limits how many passwords are verified at once. Verifying occupies a processor for a while, so
 * strangers have one place for verification, and known devices have another. One stranger waits for
 * the place; all other strangers are refused, so that workers stay free. Places are bytes of the
 * shared file, which the kernel unlocks if a process ends. */
#include "site/sign_in/places.h"

#include <errno.h>
#include <time.h>

#define WAIT_MS 1000
#define LOOK_EVERY_MS 4

/* The locked bytes. Older versions lock the bytes before and after these bytes. */
enum { PLACE_OF_STRANGERS = 640, WAIT_OF_STRANGERS, PLACE_OF_KNOWN, TABLE };

static bool wait_lock(const struct shared_file *shared, off_t byte)
{
    while (!shared_file_wait_lock(shared, byte))
        if (errno != EINTR)
            return false;
    return true;
}

bool place_lock_table(const struct shared_file *shared)
{
    return wait_lock(shared, TABLE);
}

void place_unlock_table(const struct shared_file *shared)
{
    shared_file_unlock(shared, TABLE);
}

static bool take_place_of_strangers(const struct shared_file *shared)
{
    bool taken = shared_file_try_lock(shared, PLACE_OF_STRANGERS);
    if (taken || !shared_file_try_lock(shared, WAIT_OF_STRANGERS))
        return taken;
    for (int left_ms = WAIT_MS; !taken && left_ms > 0; left_ms -= LOOK_EVERY_MS) {
        nanosleep(&(struct timespec){.tv_nsec = LOOK_EVERY_MS * 1000000}, NULL);
        taken = shared_file_try_lock(shared, PLACE_OF_STRANGERS);
    }
    shared_file_unlock(shared, WAIT_OF_STRANGERS);
    return taken;
}

bool place_take(const struct shared_file *shared, bool is_known)
{
    return is_known ? wait_lock(shared, PLACE_OF_KNOWN) : take_place_of_strangers(shared);
}
