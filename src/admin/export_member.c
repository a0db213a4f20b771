/* The file of everything about a member that is deleted: it must be on the disk before anything is
 * gone. What is in it is left to transfer/everything.c, and the deletion to the command that asks
 * for the file. */
#include "admin/export_member.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "admin/new_file.h"
#include "base/clock.h"
#include "transfer/everything.h"

static bool write_piece(void *context, const char *bytes, size_t length)
{
    FILE *file = context;
    return fwrite(bytes, 1, length, file) == length;
}

bool export_member(struct invocation *invocation, const struct member *member, const char *path)
{
    int descriptor = new_file_open(path);
    if (descriptor < 0)
        return false;
    FILE *file = fdopen(descriptor, "w");
    enum store_result result =
        everything_export(invocation->store, member, clock_wall_ms(), write_piece, file);
    errno = 0;
    bool written = fflush(file) == 0 && !ferror(file) && fsync(descriptor) == 0;
    if (!written)
        command_refuse("%s: cannot write the file: %s", path, strerror(errno));
    fclose(file);
    if (written && result == STORE_DONE)
        return true;
    new_file_remove(path);
    return false;
}
