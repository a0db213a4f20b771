/* Simulates a disk that fails on demand. Only tests preload this library into programs. The library
 * makes calls fail that write to the database or to files next to the database. The library can
 * also kill or stop the program during such a call.
 *
 * FAULT_PLAN names a file with a struct plan, which the test changes while the program runs. Only
 * files whose path begins with QSOSYNC_DB count. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum kind { KIND_NONE, KIND_WRITE, KIND_SYNC, KIND_MAP, KIND_INDEX, KIND_LOCK };

#define STOP (-1)
#define PAGE_BYTES 4096
#define PART_BYTES 2048

struct plan {
    int32_t kind;
    int32_t at;      /* number of the call that fails, from 1; 0: none */
    int32_t forever; /* whether all later calls also fail */
    /* 0: the call kills the process; STOP: the call stops the process, which continues later */
    int32_t error;
    int32_t half; /* whether the call writes half of its bytes and the next call fails */
    int32_t seen; /* calls of this kind so far */
};

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static struct plan *plan;

__attribute__((constructor)) static void open_plan(void)
{
    const char *path = getenv("FAULT_PLAN");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    void *page = REAL(mmap)(NULL, sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    plan = page == MAP_FAILED ? NULL : page;
    close(file);
}

/* Returns whether the plan applies to a call of this kind on this file. A write to the shared index
 * of the write-ahead log is also of KIND_INDEX, because such a write grows the index. */
static bool is_meant(enum kind kind, int file)
{
    char link[64], path[PATH_MAX] = "";
    const char *database = getenv("QSOSYNC_DB");
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    if (!database || readlink(link, path, sizeof path - 1) <= 0 ||
        strncmp(path, database, strlen(database)) != 0)
        return false;
    bool is_index = kind == KIND_WRITE && strcmp(path + strlen(path) - 4, "-shm") == 0;
    return plan->kind == (int32_t)kind || (is_index && plan->kind == KIND_INDEX);
}

static bool fails(enum kind kind, int file)
{
    if (!plan || plan->kind == KIND_NONE || !is_meant(kind, file))
        return false;
    plan->seen++;
    int32_t last = plan->forever ? INT32_MAX : plan->at + (plan->half ? 1 : 0);
    if (plan->at == 0 || plan->seen < plan->at || plan->seen > last)
        return false;
    /* the plan can change before the process continues */
    const int32_t error = plan->error;
    if (error == 0)
        raise(SIGKILL);
    if (error == STOP)
        raise(SIGSTOP);
    errno = error;
    return error != STOP;
}

/* A write of several pages has many parts, and each part can be the last part that the disk stores.
 */
ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset)
{
    size_t done = 0, most = length > PAGE_BYTES ? PART_BYTES : PAGE_BYTES;
    do {
        size_t part = length - done < most ? length - done : most;
        bool has_failed = fails(KIND_WRITE, file);
        bool half = has_failed && plan->half && plan->seen == plan->at && part > 1;
        if (has_failed && !half)
            return -1;
        ssize_t count = REAL(pwrite)(file, (const char *)bytes + done, half ? part / 2 : part,
                                     offset + (off_t)done);
        if (count < 0)
            return -1;
        done += (size_t)count;
        if (half)
            return (ssize_t)done;
    } while (done < length);
    return (ssize_t)done;
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t offset)
{
    return pwrite(file, bytes, length, offset);
}

ssize_t write(int file, const void *bytes, size_t length)
{
    return fails(KIND_WRITE, file) ? -1 : REAL(write)(file, bytes, length);
}

int ftruncate(int file, off_t length)
{
    return fails(KIND_WRITE, file) ? -1 : REAL(ftruncate)(file, length);
}

int ftruncate64(int file, off64_t length)
{
    return ftruncate(file, length);
}

int fsync(int file)
{
    return fails(KIND_SYNC, file) ? -1 : REAL(fsync)(file);
}

int fdatasync(int file)
{
    return fails(KIND_SYNC, file) ? -1 : REAL(fdatasync)(file);
}

/* Returns whether a call takes the writer's lock. All other locks are traditional locks. */
static bool takes_lock(int command, const struct flock *lock)
{
    return (command == F_OFD_SETLK || command == F_OFD_SETLKW) && lock->l_type == F_WRLCK;
}

int fcntl(int file, int command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    return takes_lock(command, argument) && fails(KIND_LOCK, file)
               ? -1
               : REAL(fcntl)(file, command, argument);
}

int fcntl64(int file, int command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    return fcntl(file, command, argument);
}

void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset)
{
    if (file >= 0 && fails(KIND_MAP, file))
        return MAP_FAILED;
    return REAL(mmap)(address, length, protection, flags, file, offset);
}

void *mmap64(void *address, size_t length, int protection, int flags, int file, off64_t offset)
{
    return mmap(address, length, protection, flags, file, offset);
}
