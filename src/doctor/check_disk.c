/* Checks the file system of the logbook: its free space and its kind. */
#include <sys/statvfs.h>
#include <sys/vfs.h>

#include "doctor/checks.h"
#include "doctor/findings.h"

#define FREE_BYTES_LEAST (16 << 20)
#define FREE_BYTES_ENOUGH (256 << 20)

static void look_at_space(struct examination *seen)
{
    struct statvfs space;
    if (statvfs(seen->folder, &space) != 0)
        return;
    int64_t bytes = (int64_t)space.f_bavail * (int64_t)space.f_frsize, size = seen->file.st_size;
    const bool is_enough = bytes >= size && bytes >= FREE_BYTES_ENOUGH;
    const enum finding_level level = is_enough                  ? FINDING_OK
                                     : bytes < FREE_BYTES_LEAST ? FINDING_PROBLEM
                                                                : FINDING_WARNING;
    found_at(seen, level, SPACE_FREE, print(seen, SPACE_FREE_FIX, quote(seen, seen->folder)),
             (long long)(bytes >> 20), (long long)(size >> 20),
             is_enough ? "" : "; free some space");
}

/* Returns the name of a file system on which the write-ahead log does not work, or NULL for any
 * other file system. Most of the numbers are in linux/magic.h. */
static const char *find_remote(const char *folder)
{
    static const struct {
        unsigned long magic;
        const char *name;
    } remote[] = {
        {0x6969, "NFS"},    {0xFF534D42, "CIFS"}, {0xFE534D42, "SMB"},  {0x517B, "SMB"},
        {0x01021997, "9p"}, {0x00C36400, "Ceph"}, {0x65735546, "FUSE"}, {0x786F4256, "vboxsf"},
    };
    struct statfs system;
    bool is_known = statfs(folder, &system) == 0;
    for (size_t i = 0; is_known && i < sizeof remote / sizeof *remote; i++)
        if (((unsigned long)system.f_type & 0xFFFFFFFF) == remote[i].magic)
            return remote[i].name;
    return NULL;
}

void disk_check(struct examination *seen)
{
    const char *remote = find_remote(seen->folder);
    look_at_space(seen);
    if (remote)
        found(seen, FILE_SYSTEM_REMOTE, seen->folder, remote);
    else
        found(seen, FILE_SYSTEM_LOCAL);
}
