/* Lists, compares and syncs folders, opens files safely, and allows root to act as a folder's
 * owner. Links are followed in the same way as by the system. shared_file.c opens the files next to
 * the logbook. */
#include "base/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/format.h"

#define LINKS_MAX 40 /* the kernel's limit */

const char *folder_of(const char *path, struct arena *arena)
{
    const char *slash = strrchr(path, '/');
    return slash ? arena_print(arena, "%.*s", (int)(slash - path + 1), path) : "./";
}

const char **folder_list(const char *folder, struct arena *arena)
{
    struct dirent **entries;
    const int count = scandir(folder, &entries, NULL, alphasort);
    const char **names = arena_allocate_zeroed(arena, sizeof *names * (size_t)(count + 2));
    for (int i = 0; i < count; i++) {
        names[i] = arena_copy(arena, entries[i]->d_name, strlen(entries[i]->d_name));
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return names;
}

bool folder_path_beside(const char *path, const char *suffix, char out[PATH_MAX])
{
    char *real = realpath(path, NULL);
    const bool fits = format_whole(out, PATH_MAX, "%s%s", real ? real : path, suffix);
    free(real);
    if (!fits)
        errno = ENAMETOOLONG;
    return fits;
}

bool folder_is_same(const char *one, const char *other)
{
    struct stat first, second;
    return strcmp(one, other) == 0 ||
           (stat(one, &first) == 0 && stat(other, &second) == 0 && first.st_dev == second.st_dev &&
            first.st_ino == second.st_ino);
}

/* Opens with O_NONBLOCK, which prevents waiting for a FIFO and has no effect on regular files. */
int folder_open_file(const char *path, int flags)
{
    struct stat status;
    int file = open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0660);
    if (file < 0 || (fstat(file, &status) == 0 && S_ISREG(status.st_mode)))
        return file;
    close(file);
    errno = EINVAL;
    return -1;
}

static bool sync_and_close(int file)
{
    if (file < 0)
        return false;
    bool synced = fsync(file) == 0;
    int error = errno;
    close(file);
    errno = error;
    return synced;
}

bool folder_sync(const char *path)
{
    char *copy = strdup(path);
    int folder = copy ? open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    free(copy);
    return sync_and_close(folder);
}

bool folder_sync_file(const char *path)
{
    return sync_and_close(folder_open_file(path, O_RDWR));
}

bool folder_act_as(struct folder_ids ids)
{
    if (getuid() != 0 || (ids.user == geteuid() && ids.group == getegid()))
        return true;
    return seteuid(0) == 0 && setgroups(0, NULL) == 0 && setegid(ids.group) == 0 &&
           seteuid(ids.user) == 0;
}

static bool find_owner(const char *path, int *links, struct folder_ids *owner);

static bool follow_link(const char *link, int *links, struct folder_ids *owner)
{
    char target[PATH_MAX], path[PATH_MAX];
    const ssize_t length = readlink(link, target, sizeof target - 1);
    if (length < 0 || ++*links > LINKS_MAX) {
        errno = length < 0 ? errno : ELOOP;
        return false;
    }
    target[length] = '\0';
    const int folder = *target == '/' ? 0 : (int)(strrchr(link, '/') - link + 1);
    errno = ENAMETOOLONG;
    return format_whole(path, sizeof path, "%.*s%s", folder, link, target) &&
           find_owner(path, links, owner);
}

/* Examines each part of an absolute path, and each part of the links in the path, to find the
 * owner. The file itself need not exist, and its owner does not count. */
static bool find_owner(const char *path, int *links, struct folder_ids *owner)
{
    char part[PATH_MAX];
    struct stat status;
    for (const char *end = path; *end;) {
        end += strspn(end, "/");
        end += strcspn(end, "/");
        format_cut(part, sizeof part, "%.*s", (int)(end - path), path);
        if (lstat(part, &status) != 0)
            return errno == ENOENT && !end[strspn(end, "/")];
        if ((S_ISDIR(status.st_mode) || S_ISLNK(status.st_mode)) && status.st_uid != 0)
            *owner = (struct folder_ids){status.st_uid, status.st_gid};
        if (S_ISLNK(status.st_mode) && !follow_link(part, links, owner))
            return false;
    }
    return true;
}

static bool act_as_owner(const char *path)
{
    char whole[PATH_MAX], folder[PATH_MAX] = "";
    struct folder_ids owner = {0, 0};
    int links = 0;
    if (*path != '/' && !getcwd(folder, sizeof folder))
        return false;
    errno = ENAMETOOLONG;
    return format_whole(whole, sizeof whole, "%s/%s", folder, path) &&
           find_owner(whole, &links, &owner) && folder_act_as(owner);
}

bool folder_act_as_owner(const char *path, struct folder_ids *before)
{
    const struct folder_ids present = {geteuid(), getegid()};
    if (before)
        *before = present;
    if (getuid() != 0)
        return true;
    if (!folder_act_as((struct folder_ids){0, 0}))
        return false;
    if (act_as_owner(path))
        return true;
    int error = errno;
    folder_act_as(present);
    errno = error;
    return false;
}
