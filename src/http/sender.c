/* fork alone: starting a program is what the sandbox forbids, and takes longer.
 *
 * The kernel keeps for the process what the worker's memory was when it began, for as long as
 * it runs. So it gives that back at once, and what it still needs lies on its stack. */
#include "http/sender.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FILES_MAX 4096 /* more than a worker ever has open */
#define KEPT_MAX 4

static uintptr_t heap_begin;

static uintptr_t heap_end(void)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    return ((uintptr_t)sbrk(0) + page - 1) / page * page;
}

void sender_prepare(void)
{
    struct sigaction none = {.sa_handler = SIG_DFL, .sa_flags = SA_NOCLDWAIT};
    sigaction(SIGCHLD, &none, NULL);
    heap_begin = heap_end();
}

static void close_between(int first, int last)
{
    if (first > last || syscall(SYS_close_range, first, last, 0) == 0) /* Linux 5.9 */
        return;
    for (int file = first; file <= last && file < FILES_MAX; file++)
        close(file);
}

/* The listening socket among others: the worker may end, and nobody would accept from it here. */
static void close_others(const struct sending *sending)
{
    int kept[KEPT_MAX] = {STDERR_FILENO, sending->connection, sending->file, sending->slot};
    int next = 0;
    for (int i = 0; i < KEPT_MAX; i++)
        for (int j = i + 1; j < KEPT_MAX; j++)
            if (kept[j] < kept[i]) {
                int smaller = kept[j];
                kept[j] = kept[i];
                kept[i] = smaller;
            }
    for (int i = 0; i < KEPT_MAX; i++) {
        close_between(next, kept[i] - 1);
        next = kept[i] + 1;
    }
    close_between(next, INT32_MAX);
}

static void forget_heap(void)
{
    uintptr_t end = heap_end();
    if (heap_begin < end)
        madvise((void *)heap_begin, end - heap_begin, MADV_DONTNEED);
}

bool sender_start(const struct sending *sending, const void *context)
{
    pid_t pid = fork();
    if (pid != 0)
        return pid > 0;
    struct sending own = *sending;
    prctl(PR_SET_NAME, "qsosync answer");
    close_others(&own);
    forget_heap();
    own.send(&own, context);
    _exit(0);
}
