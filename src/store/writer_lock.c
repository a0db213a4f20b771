/* Writers queue here in the kernel, one at a time, and no incremental download misses a write.
 *
 * What has to hold: a write W that the snapshot of a reader R lacks has stamp(W) > serverTime(R).
 * The page holds `served` (a time that no serverTime was ever above) and `in_flight` (a time below
 * the stamp of the writer inside; 0: nobody). All accesses are sequentially consistent.
 *     R: 1 raise served to now   2 read in_flight: serverTime = min(now, in_flight)   3 snapshot
 *     W: a lock   b in_flight = clock   c read served: stamp = max(clock, served, last stamp) + 1
 *        d commit, synced to disk   e in_flight = 0   f unlock
 * - W did b after R's 2: then R's 1 was before W's c, so stamp(W) > served >= now >= serverTime(R).
 * - W did b before R's 2 and not yet e: R saw W's own in_flight, so serverTime(R) <= in_flight <
 *   stamp(W). (A later writer's value cannot be there: the lock is still W's.)
 * - W did e before R's 2: W is committed before R's 3, and R's snapshot has it.
 * The clock's value plays no part in this, so it may step or run back; stamps go on rising.
 * - W is killed between b and e: the kernel opens the lock, in_flight stays. R asks whether the
 * lock is held. If not, whoever set in_flight has ended (committed before the snapshot, or never),
 * and any writer that came since does b after R's 2; R keeps now.
 * - W that commits just before it is killed is in every later snapshot, like any other.
 * - Power cut: the page may be lost or old. `ceiling` is written to disk before any serverTime
 * above it is given out; the first process after a boot raises served to it. Stamps in the database
 *   are at most its last_stamp, which W reads after a. */
#include "store/writer_lock.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>

#include "base/clock.h"

#define CEILING_STEP_MS 60000
#define BOOT_ID_BYTES 40
#define LOCK_PLACE 0

struct writer_page {
    char boot_id[BOOT_ID_BYTES];
    _Atomic int64_t served_ms;
    _Atomic int64_t ceiling_ms;         /* on its way to the disk */
    _Atomic int64_t durable_ceiling_ms; /* on the disk */
    _Atomic int64_t in_flight_ms;
};

static void raise_to(_Atomic int64_t *value, int64_t least)
{
    int64_t present = atomic_load(value);
    while (present < least && !atomic_compare_exchange_weak(value, &present, least))
        ;
}

static void read_boot_id(char boot_id[BOOT_ID_BYTES])
{
    memset(boot_id, 0, BOOT_ID_BYTES);
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    if (!file)
        return;
    if (!fgets(boot_id, BOOT_ID_BYTES, file))
        boot_id[0] = '\0';
    fclose(file);
}

/* The first to come after a boot trusts nothing but what was surely on the disk. */
static void recover_after_boot(struct writer_page *page)
{
    char boot_id[BOOT_ID_BYTES];
    read_boot_id(boot_id);
    if (memcmp(boot_id, page->boot_id, BOOT_ID_BYTES) == 0)
        return;
    raise_to(&page->served_ms, atomic_load(&page->ceiling_ms));
    atomic_store(&page->durable_ceiling_ms, 0);
    atomic_store(&page->in_flight_ms, 0);
    memcpy(page->boot_id, boot_id, BOOT_ID_BYTES);
}

bool writer_lock_open(struct writer_lock *lock, const char *database_path)
{
    lock->page = NULL;
    if (!shared_file_open(&lock->shared, database_path, "-gate"))
        return false;
    if (!writer_lock_enter(lock, CEILING_STEP_MS) ||
        !shared_file_map(&lock->shared, sizeof *lock->page)) {
        writer_lock_close(lock);
        return false;
    }
    lock->page = lock->shared.map;
    recover_after_boot(lock->page);
    shared_file_unlock(&lock->shared, LOCK_PLACE);
    return true;
}

void writer_lock_close(struct writer_lock *lock)
{
    shared_file_close(&lock->shared);
    lock->page = NULL;
}

static void ignore_alarm(int signal_number)
{
    (void)signal_number;
}

/* Sleeps in fcntl; a repeating alarm wakes it, so that none that comes too early is lost. */
static bool wait_for_lock(const struct shared_file *shared, int64_t wait_ms)
{
    struct sigaction wake = {.sa_handler = ignore_alarm}, before;
    struct itimerval timer = {.it_interval = {0, 50000},
                              .it_value = {wait_ms / 1000, wait_ms % 1000 * 1000}};
    struct itimerval off = {0};
    int64_t end_ms = clock_monotonic_ms() + wait_ms;
    bool locked;

    sigaction(SIGALRM, &wake, &before);
    setitimer(ITIMER_REAL, &timer, NULL);
    do
        locked = shared_file_wait_lock(shared, LOCK_PLACE);
    while (!locked && errno == EINTR && clock_monotonic_ms() < end_ms);
    int error = errno == EINTR ? ETIMEDOUT : errno;
    setitimer(ITIMER_REAL, &off, NULL);
    sigaction(SIGALRM, &before, NULL);
    errno = error;
    return locked;
}

bool writer_lock_enter(struct writer_lock *lock, int64_t wait_ms)
{
    if (shared_file_try_lock(&lock->shared, LOCK_PLACE))
        return true;
    if (errno != EAGAIN && errno != EACCES)
        return false;
    errno = ETIMEDOUT;
    return wait_ms > 0 && wait_for_lock(&lock->shared, wait_ms);
}

int64_t writer_lock_stamp(struct writer_lock *lock, int64_t last_stamp_ms)
{
    int64_t stamp_ms = clock_wall_ms();
    atomic_store(&lock->page->in_flight_ms, stamp_ms);
    int64_t served_ms = atomic_load(&lock->page->served_ms);
    if (stamp_ms < served_ms)
        stamp_ms = served_ms;
    if (stamp_ms < last_stamp_ms)
        stamp_ms = last_stamp_ms;
    return stamp_ms + 1;
}

void writer_lock_leave(struct writer_lock *lock)
{
    atomic_store(&lock->page->in_flight_ms, 0);
    shared_file_unlock(&lock->shared, LOCK_PLACE);
}

/* Long before it is needed, so that it is needed by nobody while it is being written. */
static void keep_ceiling_above(struct writer_page *page, int64_t now_ms)
{
    if (now_ms + CEILING_STEP_MS / 2 < atomic_load(&page->durable_ceiling_ms))
        return;
    int64_t ceiling_ms = now_ms + CEILING_STEP_MS;
    raise_to(&page->ceiling_ms, ceiling_ms);
    if (msync(page, sizeof *page, MS_SYNC) == 0)
        raise_to(&page->durable_ceiling_ms, ceiling_ms);
}

int64_t writer_lock_read_time(struct writer_lock *lock, int64_t now_ms)
{
    struct writer_page *page = lock->page;
    keep_ceiling_above(page, now_ms);
    raise_to(&page->served_ms, now_ms);
    int64_t in_flight_ms = atomic_load(&page->in_flight_ms);
    if (in_flight_ms != 0 && in_flight_ms < now_ms &&
        shared_file_is_locked(&lock->shared, LOCK_PLACE))
        return in_flight_ms;
    return now_ms;
}
