/* Opens the folder that a path leads into, compares folders, and lets root act as a folder's owner.
 * The file itself need not exist. Links are followed as the system follows them; files beside the
 * logbook are opened by shared_file.c. */
#include "base/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINKS_MAX 40 /* the kernel's own limit */

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
    int length = snprintf(out, PATH_MAX, "%s%s", real ? real : path, suffix);
    free(real);
    if (length < PATH_MAX)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

bool folder_is_same(const char *one, const char *other)
{
    struct stat first, second;
    return strcmp(one, other) == 0 ||
           (stat(one, &first) == 0 && stat(other, &second) == 0 && first.st_dev == second.st_dev &&
            first.st_ino == second.st_ino);
}

/* O_NONBLOCK has no meaning for ordinary files. */
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

bool folder_has_no_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
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

/* A walk along a path, which follows links. */
struct walk {
    char done[PATH_MAX]; /* the path so far, without links; "": the root */
    char rest[PATH_MAX]; /* the rest of the path */
    int links;
    struct folder_ids owner;
};

static bool join(char out[PATH_MAX], const char *first, const char *second)
{
    char joined[PATH_MAX];
    if (snprintf(joined, sizeof joined, "%s/%s", first, second) >= (int)sizeof joined) {
        errno = ENAMETOOLONG;
        return false;
    }
    strcpy(out, joined);
    return true;
}

static bool follow_link(struct walk *walk, const char *link)
{
    char target[PATH_MAX];
    ssize_t length = readlink(link, target, sizeof target - 1);
    if (length < 0 || ++walk->links > LINKS_MAX) {
        errno = length < 0 ? errno : ELOOP;
        return false;
    }
    target[length] = '\0';
    if (*target == '/')
        walk->done[0] = '\0';
    return join(walk->rest, target, walk->rest);
}

/* One name of the path. The last one may be missing, and its owner does not count. */
static bool walk_on(struct walk *walk)
{
    char name[PATH_MAX], path[PATH_MAX];
    struct stat status;
    const size_t length = strcspn(walk->rest, "/");
    const char *next = walk->rest + length;
    next += strspn(next, "/");
    memcpy(name, walk->rest, length);
    name[length] = '\0';
    memmove(walk->rest, next, strlen(next) + 1);
    if (*name == '\0' || strcmp(name, ".") == 0)
        return true;
    if (strcmp(name, "..") == 0) {
        char *slash = strrchr(walk->done, '/');
        if (slash)
            *slash = '\0';
        return true;
    }
    if (!join(path, walk->done, name))
        return false;
    if (lstat(path, &status) != 0)
        return errno == ENOENT && *walk->rest == '\0';
    if ((S_ISDIR(status.st_mode) || S_ISLNK(status.st_mode)) && status.st_uid != 0)
        walk->owner = (struct folder_ids){status.st_uid, status.st_gid};
    if (S_ISLNK(status.st_mode))
        return follow_link(walk, path);
    strcpy(walk->done, path);
    return true;
}

static bool find_owner(const char *path, struct folder_ids *owner)
{
    struct walk walk = {.links = 0};
    bool found = *path == '/' || getcwd(walk.rest, sizeof walk.rest);
    found = found && join(walk.rest, walk.rest, path);
    while (found && *walk.rest)
        found = walk_on(&walk);
    if (found)
        *owner = walk.owner;
    return found;
}

bool folder_act_as_owner(const char *path, struct folder_ids *before)
{
    struct folder_ids owner, present = {geteuid(), getegid()};
    if (before)
        *before = present;
    if (getuid() != 0)
        return true;
    if (!folder_act_as((struct folder_ids){0, 0}))
        return false;
    if (find_owner(path, &owner) && folder_act_as(owner))
        return true;
    int error = errno;
    folder_act_as(present);
    errno = error;
    return false;
}
