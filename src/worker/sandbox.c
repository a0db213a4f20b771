/* Restricts the process with Landlock (Linux 5.13), which permanently removes all rights that no
 * rule grants. This file does not filter system calls, because the C library's calls change with
 * each release. If systemd starts the workers, the unit has a filter.
 *
 * A rule is for the folder that exists when the worker starts. If another folder replaces that
 * folder, the workers must be restarted. */
#include "worker/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <linux/landlock.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/format.h"
#include "base/log.h"

/* The rights that no rule grants, for any path. */
#define NEVER                                                                                      \
    (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK |   \
     LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_SYM |   \
     LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_REMOVE_DIR)
#define IN_DATABASE_FOLDER                                                                         \
    (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_DIR |  \
     LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE)

/* Files outside the database's folder that the worker reads: random numbers (for SQLite), and the
 * id of the boot. The writer lock uses this id to detect a restart of the machine. */
static const char *const readable[] = {"/dev/urandom", "/proc/sys/kernel/random/boot_id"};

void sandbox_drop_rights(void)
{
    /* One byte, not zero: with zero, a program that collects core dumps would still receive a dump.
     */
    const struct rlimit no_core = {1, 1};
    if (setrlimit(RLIMIT_CORE, &no_core) != 0)
        prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    umask(027);
}

static bool leave(int rules, const char *path, uint64_t access)
{
    struct landlock_path_beneath_attr rule = {.allowed_access = access,
                                              .parent_fd = open(path, O_PATH | O_CLOEXEC)};
    if (rule.parent_fd < 0)
        return false;
    long result = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(rule.parent_fd);
    return result == 0;
}

/* Grants the rights in the database's folder, and for the readable files. If the path is a link,
 * the target's folder counts too, because all files are next to the database. */
static bool leave_database(int rules, const char *path, uint64_t access)
{
    char given[PATH_MAX], real[PATH_MAX];
    bool left = format_whole(given, sizeof given, "%s", path) &&
                leave(rules, dirname(given), access) && folder_path_beside(path, "", real) &&
                leave(rules, dirname(real), access);
    for (size_t i = 0; left && i < sizeof readable / sizeof *readable; i++)
        left = leave(rules, readable[i], LANDLOCK_ACCESS_FS_READ_FILE) || errno == ENOENT;
    return left;
}

/* The rights in landlock.h of Linux 6.12, because the headers can be older than the kernel. An
 * older kernel accepts only a shorter struct. */
struct rights {
    uint64_t files;
    uint64_t network; /* from ABI 4 */
    uint64_t scoped;  /* from ABI 6 */
};

#define FILES_REFER (UINT64_C(1) << 13)     /* from ABI 2: moving files between folders */
#define FILES_TRUNCATE (UINT64_C(1) << 14)  /* from ABI 3 */
#define FILES_IOCTL_DEV (UINT64_C(1) << 15) /* from ABI 5 */
#define NETWORK_BIND_CONNECT UINT64_C(3)    /* TCP; the listening socket is already open */
/* abstract sockets, and signals to processes outside the sandbox */
#define SCOPED_SOCKETS_SIGNALS UINT64_C(3)

/* Removes all rights that the kernel can remove and the worker does not need. If the database is
 * known, the rights that the worker needs are limited to the database's folder
 * and the files in `readable`. */
void sandbox_enter(const char *database_path)
{
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    uint64_t in_folder = abi >= 3 ? IN_DATABASE_FOLDER | FILES_TRUNCATE : IN_DATABASE_FOLDER;
    struct rights rights = {.files = database_path ? NEVER | in_folder : NEVER};
    if (abi >= 2)
        rights.files |= FILES_REFER;
    if (abi >= 4)
        rights.network = NETWORK_BIND_CONNECT;
    if (abi >= 5)
        rights.files |= FILES_IOCTL_DEV;
    if (abi >= 6)
        rights.scoped = SCOPED_SOCKETS_SIGNALS;
    const size_t numbers = abi >= 6 ? 3 : abi >= 4 ? 2 : 1;
    int rules =
        (int)syscall(SYS_landlock_create_ruleset, &rights, numbers * sizeof rights.files, 0);
    if (rules < 0 || (database_path && !leave_database(rules, database_path, in_folder)) ||
        syscall(SYS_landlock_restrict_self, rules, 0) != 0)
        log_line("the sandbox is incomplete: Landlock: %s", strerror(errno));
    if (rules >= 0)
        close(rules);
}
