/* Simulates another boot of the machine, and makes programs start without delay. Only tests use
 * this library: the modules in t/lib/QSOsync/PowerCut preload it into programs.
 *
 * BOOT_ID replaces the kernel's boot id, BOOT_CLOCK_MS is added to the wall clock, and
 * BOOT_UPTIME_S is added to the time since the boot. With BOOT_SERVE, the program stops before main
 * and runs once for each request that arrives on file descriptor 3. Each run calls the program's
 * own main in a process of its own, so that loading and linking take no time. File descriptor 5 is
 * a listening socket for programs that serve a socket. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define BOOT_ID_PATH "/proc/sys/kernel/random/boot_id"
#define REQUESTS 3
#define ANSWERS 4
#define SOCKET 5
#define REQUEST_MAX_BYTES 65536

static bool read_exactly(void *out, size_t length)
{
    for (size_t done = 0; done < length;) {
        ssize_t got = read(REQUESTS, (char *)out + done, length - done);
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

static void redirect(int target, const char *path, int flags)
{
    int file = *path ? open(path, flags | O_CREAT, 0600) : SOCKET;
    if (file < 0 || dup2(file, target) < 0)
        _exit(127);
    close(file);
}

/* Reads a request: standard input, output and error as paths (an empty path is the socket), then
 * NAME=VALUE, each ending in NUL. */
static void become_program(char *request, size_t length)
{
    static const int flags[] = {O_RDONLY, O_WRONLY | O_TRUNC, O_WRONLY | O_TRUNC};
    char *end = request + length;
    close(REQUESTS);
    close(ANSWERS);
    unsetenv("BOOT_SERVE");
    for (int i = 0; i < 3 && request < end; i++, request += strlen(request) + 1)
        redirect(i, request, flags[i]);
    for (; request < end; request += strlen(request) + 1) {
        char *equal = strchr(request, '=');
        if (!equal)
            _exit(127);
        *equal = '\0';
        setenv(request, equal + 1, 1);
        request = equal + 1;
    }
}

__attribute__((constructor)) static void serve(void)
{
    static char request[REQUEST_MAX_BYTES];
    uint32_t length;
    if (!getenv("BOOT_SERVE"))
        return;
    while (read_exactly(&length, sizeof length) && length <= sizeof request &&
           read_exactly(request, length)) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) {
            become_program(request, length);
            return;
        }
        if (child < 0 || write(ANSWERS, &child, sizeof child) != sizeof child ||
            waitpid(child, &status, 0) != child ||
            write(ANSWERS, &status, sizeof status) != sizeof status)
            _exit(127);
    }
    _exit(0);
}

static int open_boot_id(void)
{
    const char *id = getenv("BOOT_ID");
    int file = memfd_create("boot_id", MFD_CLOEXEC);
    if (file >= 0 && (write(file, id, strlen(id)) < 0 || lseek(file, 0, SEEK_SET) != 0))
        _exit(127);
    return file;
}

static bool is_boot_id(const char *path)
{
    return strcmp(path, BOOT_ID_PATH) == 0 && getenv("BOOT_ID");
}

FILE *fopen(const char *path, const char *mode)
{
    return is_boot_id(path) ? fdopen(open_boot_id(), mode) : REAL(fopen)(path, mode);
}

FILE *fopen64(const char *path, const char *mode)
{
    return fopen(path, mode);
}

#define OPEN_FUNCTION(name)                                                                        \
    int name(const char *path, int flags, ...)                                                     \
    {                                                                                              \
        va_list arguments;                                                                         \
        va_start(arguments, flags);                                                                \
        mode_t mode = flags & O_CREAT ? (mode_t)va_arg(arguments, int) : 0;                        \
        va_end(arguments);                                                                         \
        return is_boot_id(path) && !(flags & O_PATH) ? open_boot_id()                              \
                                                     : REAL(name)(path, flags, mode);              \
    }
OPEN_FUNCTION(open)
OPEN_FUNCTION(open64)

static int64_t clock_offset_ms(void)
{
    const char *offset = getenv("BOOT_CLOCK_MS");
    return offset ? strtoll(offset, NULL, 10) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    int result = REAL(clock_gettime)(clock, time);
    if (result == 0 && clock == CLOCK_REALTIME) {
        int64_t ms = (int64_t)time->tv_sec * 1000 + time->tv_nsec / 1000000 + clock_offset_ms();
        time->tv_sec = ms / 1000;
        time->tv_nsec = ms % 1000 * 1000000 + time->tv_nsec % 1000000;
    }
    return result;
}

int sysinfo(struct sysinfo *system)
{
    const char *passed = getenv("BOOT_UPTIME_S");
    int result = REAL(sysinfo)(system);
    system->uptime += passed ? strtol(passed, NULL, 10) : 0;
    return result;
}
