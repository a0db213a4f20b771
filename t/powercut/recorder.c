/* Records every change that programs make to the files in one folder, in order.
 * t/lib/QSOsync/PowerCut.pm replays the changes up to a power cut. Only tests preload this library
 * into programs.
 *
 * RECORD_FOLDER is the folder, without links in its path; entries are appended to the file
 * RECORD_LOG. A lock on this file lets the programs take turns, so that the file's order is the
 * order of events. Before each entry of a program, its mapped files are compared with their last
 * recorded contents. Differences are recorded; versions that existed only in between are missed. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define SECTOR_BYTES 512
#define REGIONS_MAX 256

#define ENTRY_BEGINS UINT64_C(0x8f1c64e2d907b35a)

/* An entry, as t/lib/QSOsync/PowerCut/Disk.pm unpacks it; `length` bytes follow. A process that is
 * killed while it writes an entry leaves a part of the entry. `begins` marks the start of the next
 * entry. */
struct entry {
    uint64_t begins;
    uint32_t kind; /* a letter: see the calls to note */
    uint32_t process;
    uint64_t file; /* inode */
    uint64_t offset;
    uint64_t length;
};

/* A part of a file that is mapped for writing, and the last recorded contents of this part. */
struct region {
    char *address; /* NULL: the region is unused */
    size_t length;
    uint64_t file;
    uint64_t offset;
    char *noted;
};

static int record = -1;
static const char *folder;
static size_t folder_length;
static struct region regions[REGIONS_MAX];

__attribute__((constructor)) static void open_record(void)
{
    const char *path = getenv("RECORD_LOG");
    folder = getenv("RECORD_FOLDER");
    if (!path || !folder)
        return;
    folder_length = strlen(folder);
    record = REAL(open)(path, O_WRONLY | O_APPEND | O_CLOEXEC);
}

static void note(char kind, uint64_t file, uint64_t offset, const void *bytes, size_t length)
{
    struct entry entry = {ENTRY_BEGINS, (uint32_t)kind, (uint32_t)getpid(), file, offset, length};
    struct iovec parts[] = {{&entry, sizeof entry}, {(void *)(uintptr_t)bytes, length}};
    if (REAL(writev)(record, parts, 2) != (ssize_t)(sizeof entry + length))
        abort(); /* a record with a gap would blame the wrong program */
}

static void note_region(struct region *region)
{
    for (size_t at = 0; at < region->length; at += SECTOR_BYTES) {
        size_t rest = region->length - at, length = rest < SECTOR_BYTES ? rest : SECTOR_BYTES;
        if (memcmp(region->address + at, region->noted + at, length) == 0)
            continue;
        memcpy(region->noted + at, region->address + at, length);
        note('P', region->file, region->offset + at, region->noted + at, length);
    }
}

/* Begins an entry, which ends with unlock. Both functions leave errno unchanged. */
static void lock(void)
{
    int error = errno;
    while (flock(record, LOCK_EX) != 0 && errno == EINTR)
        ;
    for (size_t i = 0; i < REGIONS_MAX; i++)
        if (regions[i].address)
            note_region(&regions[i]);
    errno = error;
}

static void unlock(void)
{
    int error = errno;
    flock(record, LOCK_UN);
    errno = error;
}

/* Returns the name inside the folder ("" for the folder itself), or NULL if the path is outside the
 * folder. */
static const char *name_in_folder(const char *path)
{
    if (record < 0 || strncmp(path, folder, folder_length) != 0)
        return NULL;
    if (path[folder_length] == '\0')
        return path + folder_length;
    return path[folder_length] == '/' ? path + folder_length + 1 : NULL;
}

static bool path_of(int file, char path[PATH_MAX])
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    int error = errno;
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    errno = error;
    path[length > 0 ? length : 0] = '\0';
    return length > 0;
}

static bool is_watched(int file, struct stat *status)
{
    char path[PATH_MAX];
    return record >= 0 && file != record && path_of(file, path) && name_in_folder(path) &&
           fstat(file, status) == 0 && (S_ISREG(status->st_mode) || S_ISDIR(status->st_mode));
}

/* Returns a path relative to an open folder as an absolute path, which is built in `whole` if
 * necessary. */
static const char *whole_path(int at, const char *path, char whole[PATH_MAX])
{
    char base[PATH_MAX];
    if (path[0] == '/')
        return path;
    if (at == AT_FDCWD ? !getcwd(base, sizeof base) : !path_of(at, base))
        return path;
    return snprintf(whole, PATH_MAX, "%s/%s", base, path) < PATH_MAX ? whole : path;
}

static int open_noted(int at, const char *path, int flags, mode_t mode)
{
    char whole[PATH_MAX];
    struct stat before, after;
    const char *name = record < 0 ? NULL : name_in_folder(whole_path(at, path, whole));
    if (!name || !(flags & (O_CREAT | O_TRUNC)))
        return REAL(openat)(at, path, flags, mode);
    lock();
    bool existed = fstatat(at, path, &before, 0) == 0;
    int file = REAL(openat)(at, path, flags, mode);
    if (file >= 0 && fstat(file, &after) == 0) {
        if (!existed)
            note('C', after.st_ino, 0, name, strlen(name));
        else if (flags & O_TRUNC)
            note('T', after.st_ino, 0, NULL, 0);
    }
    unlock();
    return file;
}

static mode_t mode_argument(int flags, va_list arguments)
{
    return flags & O_CREAT ? (mode_t)va_arg(arguments, int) : 0;
}

#define OPEN_FUNCTION(name)                                                                        \
    int name(const char *path, int flags, ...)                                                     \
    {                                                                                              \
        va_list arguments;                                                                         \
        va_start(arguments, flags);                                                                \
        mode_t mode = mode_argument(flags, arguments);                                             \
        va_end(arguments);                                                                         \
        return open_noted(AT_FDCWD, path, flags, mode);                                            \
    }
#define OPENAT_FUNCTION(name)                                                                      \
    int name(int at, const char *path, int flags, ...)                                             \
    {                                                                                              \
        va_list arguments;                                                                         \
        va_start(arguments, flags);                                                                \
        mode_t mode = mode_argument(flags, arguments);                                             \
        va_end(arguments);                                                                         \
        return open_noted(at, path, flags, mode);                                                  \
    }
OPEN_FUNCTION(open)
OPEN_FUNCTION(open64)
OPENAT_FUNCTION(openat)
OPENAT_FUNCTION(openat64)

int unlinkat(int at, const char *path, int flags)
{
    char whole[PATH_MAX];
    const char *name = record < 0 ? NULL : name_in_folder(whole_path(at, path, whole));
    if (!name)
        return REAL(unlinkat)(at, path, flags);
    lock();
    int result = REAL(unlinkat)(at, path, flags);
    if (result == 0)
        note('U', 0, 0, name, strlen(name));
    unlock();
    return result;
}

int unlink(const char *path)
{
    return unlinkat(AT_FDCWD, path, 0);
}

/* Records both names, each ending in NUL. Names outside the folder are ignored. */
static void note_names(char kind, const char *from, const char *to)
{
    char names[2 * PATH_MAX];
    int length = snprintf(names, sizeof names, "%s%c%s", from, '\0', to);
    note(kind, 0, 0, names, (size_t)length + 1);
}

int renameat(int from_at, const char *from, int to_at, const char *to)
{
    char whole_from[PATH_MAX], whole_to[PATH_MAX];
    const char *old = record < 0 ? NULL : name_in_folder(whole_path(from_at, from, whole_from));
    const char *new = old ? name_in_folder(whole_path(to_at, to, whole_to)) : NULL;
    if (!new)
        return REAL(renameat)(from_at, from, to_at, to);
    lock();
    int result = REAL(renameat)(from_at, from, to_at, to);
    if (result == 0)
        note_names('R', old, new);
    unlock();
    return result;
}

int rename(const char *from, const char *to)
{
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int linkat(int from_at, const char *from, int to_at, const char *to, int flags)
{
    char whole_from[PATH_MAX], whole_to[PATH_MAX];
    const char *old = record < 0 ? NULL : name_in_folder(whole_path(from_at, from, whole_from));
    const char *new = old ? name_in_folder(whole_path(to_at, to, whole_to)) : NULL;
    if (!new)
        return REAL(linkat)(from_at, from, to_at, to, flags);
    lock();
    int result = REAL(linkat)(from_at, from, to_at, to, flags);
    if (result == 0)
        note_names('L', old, new);
    unlock();
    return result;
}

int link(const char *from, const char *to)
{
    return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset)
{
    struct stat status;
    if (!is_watched(file, &status))
        return REAL(pwrite)(file, bytes, length, offset);
    lock();
    ssize_t written = REAL(pwrite)(file, bytes, length, offset);
    if (written > 0)
        note('W', status.st_ino, (uint64_t)offset, bytes, (size_t)written);
    unlock();
    return written;
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t offset)
{
    return pwrite(file, bytes, length, offset);
}

ssize_t write(int file, const void *bytes, size_t length)
{
    struct stat status;
    if (!is_watched(file, &status))
        return REAL(write)(file, bytes, length);
    lock();
    ssize_t written = REAL(write)(file, bytes, length);
    off_t end = lseek(file, 0, SEEK_CUR);
    if (written > 0)
        note('W', status.st_ino, (uint64_t)(end - written), bytes, (size_t)written);
    unlock();
    return written;
}

ssize_t writev(int file, const struct iovec *parts, int count)
{
    struct stat status;
    if (!is_watched(file, &status))
        return REAL(writev)(file, parts, count);
    ssize_t sum = 0;
    for (int i = 0; i < count; i++) {
        ssize_t written = write(file, parts[i].iov_base, parts[i].iov_len);
        if (written < 0)
            return sum > 0 ? sum : -1;
        sum += written;
        if ((size_t)written < parts[i].iov_len)
            break;
    }
    return sum;
}

int ftruncate(int file, off_t length)
{
    struct stat status;
    if (!is_watched(file, &status))
        return REAL(ftruncate)(file, length);
    lock();
    int result = REAL(ftruncate)(file, length);
    if (result == 0)
        note('T', status.st_ino, (uint64_t)length, NULL, 0);
    unlock();
    return result;
}

int ftruncate64(int file, off64_t length)
{
    return ftruncate(file, length);
}

/* The programs use this call only to extend files. */
int posix_fallocate(int file, off_t offset, off_t length)
{
    struct stat status;
    if (!is_watched(file, &status))
        return REAL(posix_fallocate)(file, offset, length);
    lock();
    int error = REAL(posix_fallocate)(file, offset, length);
    if (error == 0 && offset + length > status.st_size)
        note('T', status.st_ino, (uint64_t)(offset + length), NULL, 0);
    unlock();
    return error;
}

int posix_fallocate64(int file, off64_t offset, off64_t length)
{
    return posix_fallocate(file, offset, length);
}

static int sync_noted(int file, int (*sync_file)(int))
{
    struct stat status;
    if (!is_watched(file, &status))
        return sync_file(file);
    lock();
    int result = sync_file(file);
    note(result == 0 ? 'S' : 'F', status.st_ino, 0, NULL, 0);
    unlock();
    return result;
}

int fsync(int file)
{
    return sync_noted(file, REAL(fsync));
}

int fdatasync(int file)
{
    return sync_noted(file, REAL(fdatasync));
}

/* Watches a region. Its contents may not have been recorded yet, so all contents except zeros are
 * recorded. */
static void watch_region(char *address, size_t length, uint64_t file, uint64_t offset)
{
    size_t i = 0;
    while (i < REGIONS_MAX && regions[i].address)
        i++;
    char *noted = i < REGIONS_MAX ? calloc(1, length) : NULL;
    if (!noted)
        abort();
    regions[i] = (struct region){address, length, file, offset, noted};
}

void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset)
{
    struct stat status;
    void *mapped = REAL(mmap)(address, length, protection, flags, file, offset);
    bool shared =
        mapped != MAP_FAILED && file >= 0 && (flags & MAP_SHARED) && (protection & PROT_WRITE);
    if (shared && is_watched(file, &status)) {
        watch_region(mapped, length, status.st_ino, (uint64_t)offset);
        lock();
        unlock();
    }
    return mapped;
}

void *mmap64(void *address, size_t length, int protection, int flags, int file, off64_t offset)
{
    return mmap(address, length, protection, flags, file, offset);
}

static struct region *find_region(const void *address)
{
    for (size_t i = 0; i < REGIONS_MAX; i++)
        if (regions[i].address == address && address)
            return &regions[i];
    return NULL;
}

int munmap(void *address, size_t length)
{
    struct region *region = find_region(address);
    if (region) {
        lock();
        unlock();
        free(region->noted);
        *region = (struct region){0};
    }
    return REAL(munmap)(address, length);
}

/* Records only a sync from the start of a region, as all callers request. */
int msync(void *address, size_t length, int flags)
{
    struct region *region = find_region(address);
    if (!region)
        return REAL(msync)(address, length, flags);
    lock();
    int result = REAL(msync)(address, length, flags);
    if (result == 0 && (flags & MS_SYNC)) {
        uint64_t bytes = length;
        note('Y', region->file, region->offset, &bytes, sizeof bytes);
    }
    unlock();
    return result;
}

__attribute__((destructor)) static void note_end(void)
{
    if (record < 0)
        return;
    lock();
    unlock();
}
