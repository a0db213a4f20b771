/* Lets writers wait in the kernel until they may write, one at a time, and ensures that no
 * incremental download misses a write.
 *
 * The invariant: if the snapshot of a reader R lacks a write W, stamp(W) is above serverTime(R),
 * or no later snapshot has W. The page holds `served` and `in_flight`. No serverTime was ever above
 * `served`. `in_flight` is below the stamp of every commit that is being written or can still come
 * back; 0: no commit is being written or can come back. Only the holder of the lock changes
 * in_flight. All accesses are sequentially consistent.
 *   R: 1 raise served to now   2 read in_flight: time = min(now, in_flight)   3 snapshot
 *      4 serverTime = the greatest of the time, `told`, and the snapshot's last stamp
 *   W: a lock   b lower in_flight to the clock; from 0, set it
 *      c read served: stamp = max(clock, served, told, last stamp) + 1
 *      d commit, synced to disk   e in_flight = 0   f unlock
 *
 * If every write succeeds:
 * - W did b after R's 2: then R's 1 was before W's c, so stamp(W) > served >= now >= time(R).
 * - W did b before R's 2 and not yet e: time(R) <= in_flight <= W's clock < stamp(W).
 * - W did e before R's 2: W is committed before R's 3, and R's snapshot has W.
 * The proof does not use the clock's value, so the clock can jump or be set back; stamps keep
 * rising.
 *
 * If a write fails: SQLite writes a commit into the write-ahead log, syncs the log, and then adds
 * the commit to the index that all connections share. A writer can be killed between these steps,
 * or find no space for the index. The writer then leaves a commit D in the log that no snapshot
 * has. D comes back when the index is rebuilt from the log (recovery). SQLite rebuilds the index if
 * no process had the database open, or if D's writer died while changing the index. D is gone for
 * good once another commit has replaced it on the disk. Checksums run through the log, a restarted
 * log has another salt, and the folder of a new log is synced. So W does e only after SQLite has
 * reported W's commit as done. After a rollback, in_flight returns to the value that W found. After
 * a failed commit, in_flight keeps its value, unless a commit without changes replaces the failed
 * commit.
 * - While in_flight stays: time(R) <= in_flight < stamp(D), whether D comes back or not.
 * - When a later writer X has done e: either X's commit has replaced D, and D is gone; or D came
 *   back first and is before X's commit in the log, and every later snapshot has both commits.
 * - If a sync has failed, a D that came back can be only in the system's memory: W then writes the
 *   log once more before adding to the log (write_ahead_log.c).
 * Any commit by any process settles this, so no process waits for a client to write. When a process
 * opens the database, and between requests, it checks whether in_flight is set and the lock is
 * free. If both are true, the process commits the last stamp once more (transaction_make_certain).
 *
 * If no sync has covered a D that came back, a power cut can remove D, but a client that received D
 * would keep it. So no reader sees D. A writer that sets in_flight from 0 first records the
 * database's last stamp as `safe_stamp`. No reader gets a snapshot with a later stamp until
 * in_flight is 0 (writer_lock_is_safe). Readers also wait while a writer is between its sync and e,
 * which is only brief. The boot is recorded as well: after a power cut, D can only come back from
 * the disk.
 *
 * `told` is the greatest serverTime that was reported before R's 2. `told` and the last stamp of
 * R's snapshot are above the time if stamps are ahead of the clock, or while a writer is active:
 * - A snapshot that is shown is on the disk, so each write that the snapshot lacks has a stamp
 *   above the snapshot's last stamp: each writer has read that stamp under the lock, or has left
 *   a D.
 * - R's snapshot is later than the snapshot of the reader who received `told`, and so lacks no
 *   write that the earlier snapshot has. Hence `told` is read before R's 3.
 * So serverTime is not below any stamp in the snapshot, and never decreases from one answer to the
 * next. While W writes, serverTime is behind the clock, because reading never waits for writing.
 *
 * Power cut: the page on the disk can be old. `ceiling` is on the disk before any serverTime above
 * it is reported. The first process that opens the page after a boot raises `served` to `ceiling`.
 * A commit that was in the log on the disk has come back when the first snapshot is taken, so
 * in_flight does not matter then. Its old value is harmless and disappears with the next commit.
 * Several processes can raise `served` at the same time, because opening takes no lock. Stamps in
 * the database are at most its last_stamp, which W reads after a.
 *
 * t/model/writer-lock.pml states this algorithm for Spin, which tries every interleaving. */
#include "database/writer_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/text_hash.h"

/* The maximum by which the ceiling is ahead of the clock. Stamps can be that far ahead of the clock
 * after a power cut, or if programs in containers that share the file see different boots. */
#define CEILING_STEP_MS 4000
#define BOOT_ID_BYTES 40
#define LOCK_PLACE 0

struct writer_page {
    char boot_id[BOOT_ID_BYTES];
    _Atomic int64_t served_ms;
    _Atomic int64_t ceiling_ms;         /* ceiling that is being written to the disk */
    _Atomic int64_t durable_ceiling_ms; /* ceiling on the disk */
    _Atomic int64_t in_flight_ms;
    _Atomic int64_t safe_stamp_ms;
    _Atomic uint64_t safe_boot; /* boot in which safe_stamp was set */
    _Atomic int64_t told_ms;    /* greatest serverTime reported so far */
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
    int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    if (read(file, boot_id, BOOT_ID_BYTES - 1) <= 0)
        boot_id[0] = '\0';
    close(file);
}

/* Prepares the page after a boot: the first process trusts only data that was certainly on the
 * disk. Each step can be repeated at any time, because other processes can run the same steps at
 * the same time. If the boot has no id, every opening counts as the first. */
static void take_over(struct writer_page *page, const char boot_id[BOOT_ID_BYTES])
{
    bool is_of_this_boot = boot_id[0] && memcmp(boot_id, page->boot_id, BOOT_ID_BYTES) == 0;
    atomic_thread_fence(memory_order_acquire);
    if (is_of_this_boot)
        return;
    raise_to(&page->served_ms, atomic_load(&page->ceiling_ms));
    atomic_store(&page->durable_ceiling_ms, 0);
    atomic_thread_fence(memory_order_release);
    memcpy(page->boot_id, boot_id, BOOT_ID_BYTES);
}

bool writer_lock_open(struct writer_lock *lock, const char *database_path)
{
    char boot_id[BOOT_ID_BYTES];
    lock->page = NULL;
    if (!shared_file_open(&lock->shared, database_path, WRITER_LOCK_SUFFIX))
        return false;
    if (!shared_file_map(&lock->shared, sizeof *lock->page)) {
        writer_lock_close(lock);
        return false;
    }
    lock->page = lock->shared.map;
    read_boot_id(boot_id);
    lock->boot = text_hash(TEXT_HASH_START, boot_id, sizeof boot_id);
    take_over(lock->page, boot_id);
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

/* Sleeps in fcntl until the lock is free or wait_ms have passed. The alarm repeats, because a
 * single alarm just before the sleep would be lost. */
static bool wait_for_lock(const struct shared_file *shared, int64_t wait_ms)
{
    struct sigaction wake = {.sa_handler = ignore_alarm}, before;
    struct itimerval timer = {.it_interval = {0, 50000},
                              .it_value = {wait_ms / 1000, wait_ms % 1000 * 1000}};
    struct itimerval off = {0};
    int64_t end_ms = clock_monotonic_ms() + wait_ms;
    sigset_t alarm, blocked;
    bool locked;

    /* The parent process may have blocked SIGALRM. */
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    sigaction(SIGALRM, &wake, &before);
    setitimer(ITIMER_REAL, &timer, NULL);
    sigprocmask(SIG_UNBLOCK, &alarm, &blocked);
    do
        locked = shared_file_wait_lock(shared, LOCK_PLACE);
    while (!locked && errno == EINTR && clock_monotonic_ms() < end_ms);
    int error = errno == EINTR ? ETIMEDOUT : errno;
    setitimer(ITIMER_REAL, &off, NULL);
    sigprocmask(SIG_SETMASK, &blocked, NULL);
    sigaction(SIGALRM, &before, NULL);
    errno = error;
    return locked;
}

bool writer_lock_enter(struct writer_lock *lock, int64_t wait_ms)
{
    if (!shared_file_try_lock(&lock->shared, LOCK_PLACE)) {
        if (errno != EAGAIN && errno != EACCES)
            return false;
        errno = ETIMEDOUT;
        if (wait_ms <= 0 || !wait_for_lock(&lock->shared, wait_ms))
            return false;
    }
    lock->inherited_ms = atomic_load(&lock->page->in_flight_ms);
    return true;
}

/* Returns whether safe_stamp and, if it is set, in_flight belong to this boot. */
static bool is_of_this_boot(const struct writer_lock *lock)
{
    return atomic_load(&lock->page->safe_boot) == lock->boot;
}

int64_t writer_lock_stamp(struct writer_lock *lock, int64_t last_stamp_ms)
{
    int64_t stamp_ms = clock_wall_ms();
    int64_t in_flight_ms = atomic_load(&lock->page->in_flight_ms);
    if (in_flight_ms == 0 || !is_of_this_boot(lock)) {
        atomic_store(&lock->page->safe_stamp_ms, last_stamp_ms);
        atomic_store(&lock->page->safe_boot, lock->boot);
    }
    if (in_flight_ms == 0 || stamp_ms < in_flight_ms)
        atomic_store(&lock->page->in_flight_ms, stamp_ms);
    int64_t served_ms = atomic_load(&lock->page->served_ms);
    /* An older logbook may have replaced a logbook whose stamps were ahead of the clock. */
    int64_t told_ms = atomic_load(&lock->page->told_ms);
    if (stamp_ms < served_ms)
        stamp_ms = served_ms;
    if (stamp_ms < told_ms)
        stamp_ms = told_ms;
    if (stamp_ms < last_stamp_ms)
        stamp_ms = last_stamp_ms;
    return stamp_ms + 1;
}

void writer_lock_leave(struct writer_lock *lock, enum write_end end)
{
    if (end != WRITE_UNCERTAIN)
        atomic_store(&lock->page->in_flight_ms, end == WRITE_UNDONE ? lock->inherited_ms : 0);
    shared_file_unlock(&lock->shared, LOCK_PLACE);
}

bool writer_lock_is_in_flight(const struct writer_lock *lock)
{
    return atomic_load(&lock->page->in_flight_ms) != 0;
}

bool writer_lock_is_safe(const struct writer_lock *lock, int64_t last_stamp_ms)
{
    return atomic_load(&lock->page->in_flight_ms) == 0 || !is_of_this_boot(lock) ||
           last_stamp_ms <= atomic_load(&lock->page->safe_stamp_ms);
}

bool writer_lock_is_inherited(const struct writer_lock *lock)
{
    return lock->inherited_ms != 0;
}

/* Raises the ceiling long before a higher ceiling is needed, so that no reader waits for the write
 * to the disk. Returns a time up to which the ceiling is on the disk. */
static int64_t keep_ceiling_above(struct writer_page *page, int64_t now_ms)
{
    int64_t durable_ms = atomic_load(&page->durable_ceiling_ms);
    if (now_ms + CEILING_STEP_MS / 2 < durable_ms)
        return durable_ms;
    int64_t ceiling_ms = now_ms + CEILING_STEP_MS;
    raise_to(&page->ceiling_ms, ceiling_ms);
    if (msync(page, sizeof *page, MS_SYNC) != 0)
        return durable_ms;
    raise_to(&page->durable_ceiling_ms, ceiling_ms);
    return ceiling_ms;
}

int64_t writer_lock_read_time(struct writer_lock *lock, int64_t now_ms, bool *certain)
{
    struct writer_page *page = lock->page;
    const int64_t told_ms = atomic_load(&page->told_ms);
    int64_t ceiling_ms = keep_ceiling_above(page, now_ms);
    if (now_ms > ceiling_ms)
        now_ms = ceiling_ms;
    raise_to(&page->served_ms, now_ms);
    int64_t in_flight_ms = atomic_load(&page->in_flight_ms);
    *certain = in_flight_ms == 0;
    if (in_flight_ms != 0 && in_flight_ms < now_ms)
        now_ms = in_flight_ms;
    return told_ms > now_ms ? told_ms : now_ms;
}

void writer_lock_note_told(const struct writer_lock *lock, int64_t time_ms)
{
    raise_to(&lock->page->told_ms, time_ms);
}
