/* What a service without the writer lock's rules would do: the stamp is the clock when the request
 * comes to write, before it waits for the others, and readers take the clock as it is. Only for the
 * test that shows how such a service loses updates. */
#include "database/writer_lock.h"

#include "base/clock.h"

static int64_t stamp_ms;

bool writer_lock_open(struct writer_lock *lock, const char *database_path)
{
    lock->page = NULL;
    return shared_file_open(&lock->shared, database_path, "-gate");
}

void writer_lock_close(struct writer_lock *lock)
{
    shared_file_close(&lock->shared);
}

bool writer_lock_enter(struct writer_lock *lock, int64_t wait_ms)
{
    (void)wait_ms;
    stamp_ms = clock_wall_ms();
    return shared_file_wait_lock(&lock->shared, 0);
}

int64_t writer_lock_stamp(struct writer_lock *lock, int64_t last_stamp_ms)
{
    (void)lock;
    (void)last_stamp_ms;
    return stamp_ms;
}

void writer_lock_leave(struct writer_lock *lock, enum write_end end)
{
    (void)end;
    shared_file_unlock(&lock->shared, 0);
}

bool writer_lock_is_in_flight(const struct writer_lock *lock)
{
    (void)lock;
    return false;
}

bool writer_lock_is_safe(const struct writer_lock *lock, int64_t last_stamp_ms)
{
    (void)lock;
    (void)last_stamp_ms;
    return true;
}

bool writer_lock_is_inherited(const struct writer_lock *lock)
{
    (void)lock;
    return false;
}

int64_t writer_lock_read_time(struct writer_lock *lock, int64_t now_ms, bool *settled)
{
    (void)lock;
    *settled = false;
    return now_ms;
}
