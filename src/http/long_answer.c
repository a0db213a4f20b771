/* Writes long answers to a file in the database's folder, because a worker in the sandbox may write
 * only there. If that folder does not accept files, for example because it is read-only, the file
 * is in memory.
 *
 * Locks on bytes of the file FILE-limits count each member's answers. Each counted answer locks one
 * byte per limit, and the kernel releases the locks of processes that are killed. FILE-limits also
 * contains the table of the request limit and the workers' shares; worker/rate_limit.c and
 * worker/shares.c lock bytes below BYTES_OF_MEMBERS. */
#include "http/long_answer.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/log.h"

#define BYTES_ALL ((off_t)1 << 20)
#define BYTES_OF_MEMBERS ((off_t)1 << 21)
#define BYTES_OF_ONE 16 /* lock bytes per member; the first are for slow answers */

#define SPARE_BYTES (16 << 20) /* disk space that stays free for members' new data */

static bool take_one_of(const struct shared_file *slot, off_t first, int count)
{
    for (int i = 0; i < count; i++)
        if (shared_file_try_lock(slot, first + i))
            return true;
    return false;
}

/* Locks one byte per limit, and returns an error if a limit is reached. If the lock file cannot be
 * opened, neither answers nor requests are counted. */
static const struct error *take_slots(struct long_answer *answer, const char *database_path,
                                      int64_t member_id, size_t more)
{
    const off_t bytes = BYTES_OF_MEMBERS + (off_t)member_id * BYTES_OF_ONE;
    if (answer->file < 0 && shared_file_open(&answer->slot, database_path, "-limits") &&
        (!take_one_of(&answer->slot, bytes + LONG_ANSWERS_SLOW_MAX, LONG_ANSWERS_MAX) ||
         !take_one_of(&answer->slot, BYTES_ALL, LONG_ANSWERS_ALL_MAX)))
        return &error_answers_limited;
    if (answer->is_slow || answer->length + more <= LONG_ANSWER_SLOW_BYTES)
        return NULL;
    answer->is_slow = true;
    return answer->slot.file < 0 || take_one_of(&answer->slot, bytes, LONG_ANSWERS_SLOW_MAX)
               ? NULL
               : &error_answers_limited;
}

static int open_nameless(const char *database_path)
{
    char path[PATH_MAX];
    int file = -1;
    if (folder_path_beside(database_path, "", path))
        file = open(dirname(path), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file < 0 && errno != ENOSPC && errno != EDQUOT)
        file = memfd_create("qsosync answer", MFD_CLOEXEC);
    return file;
}

static bool has_space(int file, size_t bytes)
{
    struct statvfs disk;
    /* whether the file system reports its free space; false for a file in memory */
    const bool says = fstatvfs(file, &disk) == 0 && disk.f_blocks > 0;
    errno = ENOSPC;
    return !says || (uint64_t)disk.f_bavail * disk.f_frsize >= bytes + SPARE_BYTES;
}

const struct error *long_answer_append(struct long_answer *answer, const char *database_path,
                                       int64_t member_id, struct buffer *bytes)
{
    TRY(take_slots(answer, database_path, member_id, bytes->length));
    if (answer->file < 0)
        answer->file = open_nameless(database_path);
    /* A short write means that space has run out. */
    if (answer->file < 0 || !has_space(answer->file, bytes->length) ||
        write(answer->file, bytes->bytes, bytes->length) != (ssize_t)bytes->length) {
        log_line("cannot store a long answer next to the database: %s", strerror(errno));
        return &error_internal;
    }
    answer->length += bytes->length;
    buffer_clear(bytes);
    return NULL;
}

void long_answer_close(struct long_answer *answer)
{
    shared_file_close(&answer->slot);
    if (answer->file >= 0)
        close(answer->file);
    *answer = LONG_ANSWER_NONE;
}
