/* A small file next to the database that several processes lock, map and share.
 *
 * Each lock belongs to one opening of the file, and ends with that opening, even if the process is
 * killed. The module that uses the file defines its content. */
#ifndef QSOSYNC_BASE_SHARED_FILE_H
#define QSOSYNC_BASE_SHARED_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct shared_file {
    int file;  /* -1: not open */
    void *map; /* NULL: not mapped */
    size_t bytes;
};

#define SHARED_FILE_CLOSED ((struct shared_file){.file = -1})

/* Opens or creates the file that is named after the database, with the database's owner and mode.
 * If the database's path is a symbolic link, the file is next to the link's target. A symbolic
 * link (ELOOP) or a hard link (EMLINK) in place of the file is rejected, because it could refer to
 * another user's file. On failure, returns false with errno set and nothing open. */
bool shared_file_open(struct shared_file *shared, const char *database_path, const char *suffix);

/* Copies the beginning of the file into `out`, without creating a file. Returns false, with errno
 * set, if the file is missing, is shorter than `bytes`, or cannot be read. */
bool shared_file_read(const char *database_path, const char *suffix, void *out, size_t bytes);

/* Maps the file's first `bytes` bytes, and reserves disk space for them. Several processes can map
 * the file at the same time. Returns false, with errno set, on failure. */
bool shared_file_map(struct shared_file *shared, size_t bytes);

/* Closes the file and keeps the value of errno. */
void shared_file_close(struct shared_file *shared);

/* Lock one byte of the file against all other openings of the file, and unlock the byte. The
 * locking functions return false with errno set: EAGAIN or EACCES if the byte is locked, EINTR if a
 * signal ended the wait. */
bool shared_file_try_lock(const struct shared_file *shared, off_t byte);
bool shared_file_wait_lock(const struct shared_file *shared, off_t byte);
void shared_file_unlock(const struct shared_file *shared, off_t byte);

/* Returns whether the file's name still refers to the open file. */
bool shared_file_is_named(const struct shared_file *shared, const char *database_path,
                          const char *suffix);

/* Returns whether another opening of the file has locked the byte. */
bool shared_file_is_held(const struct shared_file *shared, off_t byte);

#endif
