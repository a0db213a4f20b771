/* Checks that no process keeps writers waiting. */
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/folder.h"
#include "doctor/checks.h"
#include "doctor/findings.h"
#include "doctor/worker_checks.h"
#include "doctor/workers.h"

/* offset of the lock byte in the -shm file: https://www.sqlite.org/walformat.html */
#define WRITE_LOCK 120

/* Finds a process that holds the write lock for a full second. A write takes only a few
 * milliseconds, so the process is probably stuck, or somebody has forgotten a transaction in a
 * shell. */
void lock_find_writer(struct examination *seen)
{
    int file = folder_open_file(print(seen, "%s-shm", seen->path), O_RDONLY);
    for (int tenths_s = 0; file >= 0 && tenths_s <= 10; tenths_s++) {
        struct flock lock = {
            .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = WRITE_LOCK, .l_len = 1};
        bool is_locked = fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
        pid_t writer = !is_locked ? 0 : lock.l_pid > 0 ? lock.l_pid : -1;
        seen->writer = tenths_s == 0 || writer == seen->writer ? writer : 0;
        if (seen->writer == 0)
            break;
        nanosleep(&(struct timespec){0, 100000000}, NULL);
    }
    if (file >= 0)
        close(file);
}

/* Reports a process that blocks writers. A qsosync-admin command that runs for a long time need not
 * be stopped. */
void lock_check(struct examination *seen)
{
    const long process = (long)seen->writer;
    const char *name = process > 0 ? processes_name(seen->arena, seen->writer) : NULL;
    const char *fix = process > 0
                          ? print(seen, "kill %ld", process)
                          : "run qsosync-admin doctor outside the container to see the process";
    if (process == 0 || (name && strncmp(name, "qsosync-admin", 13) == 0)) {
        found(seen, LOCK_FREE);
        return;
    }
    for (struct worker *worker = seen->running; worker; worker = worker->next)
        if (worker->pid == seen->writer)
            fix = print(seen, "systemctl restart %s", worker_kinds[worker->program].service);
    found_with(seen, LOCK_KEPT, fix,
               name ? print(seen, "process %ld (%s)", process, name)
                    : "a process outside this container");
}
