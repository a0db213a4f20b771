/* Opens, maps and locks files that processes share, next to the logbook. The files are opened with
 * care, because other users can write to the folder. A file that is mapped is first allocated in
 * full. Locks apply to single bytes. The modules that use a file define its content and the meaning
 * of its locks. */
#include "base/shared_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"

/* Gives the file the database's owner and mode, so that workers who own the database can use a file
 * that root creates. */
static bool adopt_owner(int file, const char *database_path)
{
    struct stat database, own;
    if (fstat(file, &own) != 0)
        return false;
    if (stat(database_path, &database) != 0)
        return errno == ENOENT;
    bool same_owner = own.st_uid == database.st_uid && own.st_gid == database.st_gid;
    mode_t mode = database.st_mode & 0666;
    if (own.st_uid != geteuid() && geteuid() != 0)
        return true;
    if (geteuid() == 0 && !same_owner && fchown(file, database.st_uid, database.st_gid) != 0)
        return false;
    return (own.st_mode & ALLPERMS) == mode || fchmod(file, mode) == 0;
}

/* Checks that the path is the only name of the open file. Without this check, root would change the
 * owner of any file to which another user has created a hard link at this path. The number of names
 * is read by path, because a link at the path can be removed before the open file is examined. */
static bool has_one_name(int file, const char *path)
{
    struct stat opened, named;
    if (fstat(file, &opened) != 0 || lstat(path, &named) != 0)
        return false;
    errno = EMLINK;
    return S_ISREG(named.st_mode) && named.st_nlink == 1 && named.st_dev == opened.st_dev &&
           named.st_ino == opened.st_ino;
}

/* Opens or creates the file. The name of a new file is synced to disk before anything relies on its
 * content. */
static int open_or_make(const char *path)
{
    int file = folder_open_file(path, O_RDWR);
    if (file >= 0 || errno != ENOENT)
        return file;
    file = folder_open_file(path, O_RDWR | O_CREAT | O_EXCL);
    if (file >= 0)
        folder_sync(path);
    else if (errno == EEXIST)
        file = folder_open_file(path, O_RDWR | O_CREAT);
    return file;
}

bool shared_file_open(struct shared_file *shared, const char *database_path, const char *suffix)
{
    char path[PATH_MAX];
    *shared = SHARED_FILE_CLOSED;
    if (!folder_path_beside(database_path, suffix, path))
        return false;
    shared->file = open_or_make(path);
    if (shared->file < 0)
        return false;
    if (has_one_name(shared->file, path) && adopt_owner(shared->file, database_path))
        return true;
    shared_file_close(shared);
    return false;
}

bool shared_file_is_named(const struct shared_file *shared, const char *database_path,
                          const char *suffix)
{
    char path[PATH_MAX];
    return folder_path_beside(database_path, suffix, path) && has_one_name(shared->file, path);
}

bool shared_file_read(const char *database_path, const char *suffix, void *out, size_t bytes)
{
    char path[PATH_MAX];
    int file =
        folder_path_beside(database_path, suffix, path) ? folder_open_file(path, O_RDONLY) : -1;
    if (file < 0)
        return false;
    errno = ENODATA;
    bool whole = pread(file, out, bytes, 0) == (ssize_t)bytes;
    int error = errno;
    close(file);
    errno = error;
    return whole;
}

/* Allocates disk blocks, so that the file has no holes. On a full disk, writing to a mapped page
 * without a block would kill the process. */
static bool allocate(int file, off_t bytes)
{
    struct stat status;
    if (fstat(file, &status) != 0)
        return false;
    if (status.st_size >= bytes && status.st_blocks * 512 >= bytes)
        return true;
    errno = posix_fallocate(file, 0, bytes);
    return errno == 0;
}

bool shared_file_map(struct shared_file *shared, size_t bytes)
{
    if (!allocate(shared->file, (off_t)bytes))
        return false;
    void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, shared->file, 0);
    if (map == MAP_FAILED)
        return false;
    shared->map = map;
    shared->bytes = bytes;
    return true;
}

void shared_file_close(struct shared_file *shared)
{
    int error = errno;
    if (shared->map)
        munmap(shared->map, shared->bytes);
    if (shared->file >= 0)
        close(shared->file);
    *shared = SHARED_FILE_CLOSED;
    errno = error;
}

static int set_lock(const struct shared_file *shared, int command, short type, off_t byte)
{
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
    return fcntl(shared->file, command, &lock);
}

bool shared_file_try_lock(const struct shared_file *shared, off_t byte)
{
    return set_lock(shared, F_OFD_SETLK, F_WRLCK, byte) == 0;
}

bool shared_file_wait_lock(const struct shared_file *shared, off_t byte)
{
    return set_lock(shared, F_OFD_SETLKW, F_WRLCK, byte) == 0;
}

void shared_file_unlock(const struct shared_file *shared, off_t byte)
{
    set_lock(shared, F_OFD_SETLK, F_UNLCK, byte);
}

bool shared_file_is_held(const struct shared_file *shared, off_t byte)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
    return fcntl(shared->file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}
