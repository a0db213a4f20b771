/* What a service without the write gate's rules would do: the stamp is the clock when the request
 * comes to write, before it waits for the others, and readers take the clock as it is. Only for the
 * test that shows how such a service loses updates. */
#include "store/write_gate.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"

static int64_t stamp_ms;

bool write_gate_open(struct write_gate *gate, const char *database_path)
{
    char path[4096];
    snprintf(path, sizeof path, "%s-gate", database_path);
    gate->page = NULL;
    gate->file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0660);
    return gate->file >= 0;
}

void write_gate_close(struct write_gate *gate)
{
    if (gate->file >= 0)
        close(gate->file);
    gate->file = -1;
}

bool write_gate_enter(struct write_gate *gate, int64_t wait_ms)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};
    (void)wait_ms;
    stamp_ms = clock_wall_ms();
    return fcntl(gate->file, F_OFD_SETLKW, &lock) == 0;
}

int64_t write_gate_stamp(struct write_gate *gate, int64_t last_stamp_ms)
{
    (void)gate;
    (void)last_stamp_ms;
    return stamp_ms;
}

void write_gate_leave(struct write_gate *gate)
{
    struct flock lock = {.l_type = F_UNLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};
    fcntl(gate->file, F_OFD_SETLK, &lock);
}

int64_t write_gate_read_time(struct write_gate *gate, int64_t now_ms)
{
    (void)gate;
    return now_ms;
}
