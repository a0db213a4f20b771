/* Landlock (Linux 5.13) takes from the process what a rule does not leave to it, for good. A filter
 * of system calls is not made here: what the C library calls changes with each of its releases, and
 * where systemd starts the workers the unit has one.
 *
 * A rule belongs to the folder that is there when the worker starts. When another one is put in its
 * place, the workers have to be restarted. */
#include "worker/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/landlock.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/log.h"

/* Rights that no rule gives back, for any path. */
#define NEVER                                                                                      \
    (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK |   \
     LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_SYM |   \
     LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_REMOVE_DIR)
#define IN_DATABASE_FOLDER                                                                         \
    (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_DIR |  \
     LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE)

/* What is read outside the database's folder: random numbers (SQLite), the id of the boot (the
 * writer lock tells a restart of the machine by it), libcrypto's configuration. */
static const char *const readable[] = {"/dev/urandom", "/proc/sys/kernel/random/boot_id",
                                       "/etc/ssl/openssl.cnf"};

void sandbox_drop_rights(void)
{
    /* One byte, not none: a program that collects cores would still get one. */
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

static bool leave_folder_of(int rules, const char *path)
{
    char *copy = strdup(path);
    bool left = copy && leave(rules, dirname(copy), IN_DATABASE_FOLDER);
    free(copy);
    return left;
}

/* Where the path is a link, SQLite's files lie beside the database and ours beside the link. */
static bool leave_database(int rules, const char *path)
{
    char *real = realpath(path, NULL);
    bool left = leave_folder_of(rules, path) && (!real || leave_folder_of(rules, real));
    free(real);
    for (size_t i = 0; left && i < sizeof readable / sizeof *readable; i++)
        left = leave(rules, readable[i], LANDLOCK_ACCESS_FS_READ_FILE) || errno == ENOENT;
    return left;
}

void sandbox_enter(const char *database_path)
{
    struct landlock_ruleset_attr taken = {.handled_access_fs = NEVER};
    if (database_path)
        taken.handled_access_fs |= IN_DATABASE_FOLDER;
    int rules = (int)syscall(SYS_landlock_create_ruleset, &taken, sizeof taken, 0);
    if (rules < 0 || (database_path && !leave_database(rules, database_path)) ||
        syscall(SYS_landlock_restrict_self, rules, 0) != 0)
        log_line("the sandbox is not complete, Landlock: %s", strerror(errno));
    if (rules >= 0)
        close(rules);
}
