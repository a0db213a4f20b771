/* Meanwhile standard error is redirected into memory. */
#include "admin/quiet.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PROGRAM "qsosync-admin: "

void quiet_begin(struct quiet *quiet)
{
    quiet->log = memfd_create("log", MFD_CLOEXEC);
    quiet->error = dup(STDERR_FILENO);
    dup2(quiet->log, STDERR_FILENO);
}

void quiet_end(struct quiet *quiet, char said[QUIET_LINE_BYTES])
{
    dup2(quiet->error, STDERR_FILENO);
    close(quiet->error);
    ssize_t length = pread(quiet->log, said, QUIET_LINE_BYTES - 1, 0);
    close(quiet->log);
    said[length > 0 ? length : 0] = '\0';
    const char *line = strstr(said, PROGRAM);
    const char *message = line ? line + strlen(PROGRAM) : "";
    memmove(said, message, strlen(message) + 1);
    said[strcspn(said, "\n")] = '\0';
}
