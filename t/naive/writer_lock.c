/* What a service without the writer lock's rules would do: the stamp is the clock when the request
 * comes to write, before it waits for the others, and readers take the clock as it is. Only for the
 * test that shows how such a service loses updates. */
#include "store/writer_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"

static int64_t stamp_ms;

bool writer_lock_open(struct writer_lock *gate, const char *database_path)
{
    char path[4096];
    snprintf(path, sizeof path, "%s-gate", database_path);
    gate->page = NULL;
    gate->file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0660);
    return gate->file >= 0;
}

void writer_lock_close(struct writer_lock *gate)
{
    if (gate->file >= 0)
        close(gate->file);
    gate->file = -1;
}

bool writer_lock_enter(struct writer_lock *gate, int64_t wait_ms)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};
    (void)wait_ms;
    stamp_ms = clock_wall_ms();
    return fcntl(gate->file, F_OFD_SETLKW, &lock) == 0;
}

int64_t writer_lock_stamp(struct writer_lock *gate, int64_t last_stamp_ms)
{
    (void)gate;
    (void)last_stamp_ms;
    return stamp_ms;
}

void writer_lock_leave(struct writer_lock *gate)
{
    struct flock lock = {.l_type = F_UNLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};
    fcntl(gate->file, F_OFD_SETLK, &lock);
}

int64_t write_gate_read_time(struct writer_lock *gate, int64_t now_ms)
{
    (void)gate;
    return now_ms;
}
