/* Shared parts of the checks: findings, words for a shell, and facts about this machine. */
#ifndef QSOSYNC_DOCTOR_MACHINE_H
#define QSOSYNC_DOCTOR_MACHINE_H

#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/folder.h"
#include "base/log.h"
#include "base/shell.h"
#include "base/text.h"
#include "base/users.h"
#include "doctor/doctor.h"

struct examination;

/* The doctor of root has the rights of the logbook's owner while it reads what others wrote: the
 * logbook, its backups, answers. For files of root alone it takes them back, until folder_act_as.
 */
struct folder_ids rights_regain(void);

/* Adds a finding; true: all is well. `fix` is a line to paste, or what to do in words, and left out
 * where all is well; NULL: nothing can be advised. Texts are copied, and made printable. */
bool findings_add(struct examination *seen, enum finding_level level, const char *check,
                  const char *fix, const char *format, ...) __attribute__((format(printf, 5, 6)));
#define fine(seen, check, ...) findings_add(seen, FINDING_OK, check, NULL, __VA_ARGS__)
#define warn(seen, check, fix, ...) findings_add(seen, FINDING_WARNING, check, fix, __VA_ARGS__)
#define trouble(seen, check, fix, ...) findings_add(seen, FINDING_PROBLEM, check, fix, __VA_ARGS__)

/* The same of a row of schema/findings.tsv, by its name: with the row's own fix, or another one, or
 * at another level, too. */
#define found(seen, name, ...) found_with(seen, name, name##_FIX, ##__VA_ARGS__)
#define found_with(seen, name, fix, ...) found_at(seen, name##_LEVEL, name, fix, ##__VA_ARGS__)
#define found_at(seen, level, name, fix, ...)                                                      \
    findings_add(seen, level, name##_CHECK, fix, name##_SAYS, ##__VA_ARGS__)
#define ROW(name, level, check, message, fix)                                                      \
    static const enum finding_level name##_LEVEL = FINDING_##level;                                \
    static const char *const name##_CHECK = check, *const name##_FIX = fix;                        \
    static const char name##_SAYS[] = message;
#include "schema/findings.inc"
#undef ROW

/* "--db FILE " for a command about this logbook; "" if it is the commands' default. */
const char *shell_database(struct examination *seen);

/* Texts in the arena, and words of a command. */
#define print(seen, ...) arena_print((seen)->arena, __VA_ARGS__)
#define quote(seen, word) shell_quote((seen)->arena, word)

/* -- Units, processes and files of this machine, as far as this user sees them ----------------- */

/* A variable in a unit's environment. */
struct variable {
    struct variable *next;  /* an earlier one, which a later one of its name replaces */
    const char *assignment; /* "NAME=value" */
    const char *file;       /* the file that sets it */
};

/* As it is written here: systemd may not run (systemd.unit(5)). */
struct unit {
    const char *path; /* path of its file; NULL: no such unit */
    const char *user;
    const char *port; /* ListenStream */
    struct variable *variables;
};

/* Reads the unit with its drop-ins, all of it into the arena. */
const struct unit *units_read(struct arena *arena, const char *name);

/* The last variable that begins with "NAME=", which counts, and its value. NULL: not set. */
const struct variable *units_find(const struct unit *unit, const char *name);
const char *units_value(const struct unit *unit, const char *name);

/* Whether the unit is there and gives its program this logbook. */
bool units_use_logbook(const struct unit *unit, const char *logbook);

enum worker_program { WORKER_API, WORKER_SITE };

struct worker {
    struct worker *next;
    pid_t pid;
    enum worker_program program;
    const char *path; /* path of its program; NULL: this user may see only its name and user */
    bool is_old;      /* the file there is another one by now */
    uid_t user;
    const char *logbook; /* QSOSYNC_DB of its environment; NULL: not set, or not shown to us */
};

/* All of them; NULL: none runs. A worker is known by its program's file, or if this user may not
 * see that, by its name alone, which a process gives itself. */
struct worker *processes_find_workers(struct arena *arena);

/* The name that a process gives itself, which proves nothing; NULL: no such process. */
const char *processes_name(struct arena *arena, pid_t process);

/* Whether a process of this machine gives itself a name that begins so. */
bool processes_run(struct arena *arena, const char *name);

/* Whether anything listens on this TCP port. */
bool processes_is_port_open(struct arena *arena, unsigned port);

/* The first 64 kB of the file, NUL-terminated, and their length unless `length` is NULL. NULL: it
 * cannot be read or is not a regular file. Never waits for a file; follows links. */
char *files_read(struct arena *arena, const char *path, size_t *length);

/* -- The logbook or service that is examined --------------------------------------------------- */

struct examination {
    struct doctor *doctor;
    struct arena *arena;
    const char *path;   /* path of the logbook, without links */
    const char *quoted; /* the path as a shell reads it */
    const char *folder; /* without the last slash */
    struct stat file;
    char said[LOG_KEPT_BYTES]; /* the first message since the logbook was opened or checked */
    struct user workers;       /* the user who must be able to use the logbook and its files */
    struct worker *running;    /* all workers that this process sees */
    pid_t writer; /* the process that blocks writers; 0: none; -1: this user may not see it */
    const char *base, *site;  /* address of the service, with /api/v1 at its end, and without */
    const char *host;         /* the name in the address */
    bool is_encrypted;        /* the address is https */
    bool is_apache;           /* the fix is for Apache, not nginx */
    const char *said_address; /* the service's own address in its answer; NULL: not given */
    bool is_proxied;          /* a proxy is in front of the web server */
    bool failed; /* an answer says that the service fails or is asked too often: no more is asked */
};

/* Begins to examine the doctor's logbook, whether it exists or not. The store's messages are kept
 * instead of written, until log_keep_first(NULL). */
void examination_begin(struct examination *seen, struct doctor *doctor);

/* The prefix of a command that this user must run; nothing for root. A command that runs as the
 * owner of a file is harmless even if somebody has replaced the file by a link. */
const char *examination_as(struct examination *seen, uid_t user);

/* The command that looks at the logbook of this path. */
const char *examination_fix_for_other(struct examination *seen, const char *path);

/* The command that restores the newest known backup. *what describes the fault of the logbook, and
 * then also the loss. NULL: no backup is known. */
const char *examination_restore(struct examination *seen, const char **what);

/* Reads the service's own address, for links and QR codes, from the open logbook. Otherwise it
 * comes from QSOSYNC_ADDRESS of this process or of the pages' unit. The text is in the arena; no
 * text: not set. False: no logbook can be asked. */
bool own_address_read(struct examination *seen, struct text *out);

/* Check files, owners, modes, folder and disk. False: a fault makes the logbook unusable, so
 * opening it would only fail again. */
bool files_check(struct examination *seen);
void files_check_disk(struct examination *seen);

/* Fills seen->workers with the user of the unit that serves this logbook. Without such a unit, it
 * is the owner of the folder or, if that is root, of the logbook. */
void workers_find_user(struct examination *seen);

/* Fills seen->writer, before this process opens the logbook: it would lose its locks (fcntl(2)). */
void workers_find_writer(struct examination *seen);

/* Another logbook that a unit names or, if `running`, that a worker of this user serves; NULL:
 * none. */
const char *workers_find_other(struct examination *seen, bool running);

/* Whether the units of this machine serve the logbook, and the API's socket is answered. */
bool workers_are_reached(struct examination *seen);

/* Units with their sockets, the workers, the lock that they share, their programs. */
void workers_check(struct examination *seen);

/* A command about the logbook, run as the user that its workers run as. */
const char *workers_command(struct examination *seen, const char *command);

/* Enables a shipped timer and starts its service; `otherwise` where these do not fit. */
const char *workers_fix_by_timer(struct examination *seen, const char *name, const char *otherwise);

/* Whether the web servers of this machine that have a site of QSOsync run, and why they do not.
 * False: there is trouble. */
bool fronts_check(struct examination *seen);

/* Whether the web server may use a file so, or else adds the finding; `what` says how. */
bool fronts_may(struct examination *seen, const char *check, const char *fix, const char *what,
                const char *path, mode_t bits);

/* Whether a site of the service's name is here; and its certificate's file, NULL: none. */
bool fronts_have_site(struct examination *seen, const char **certificate);

#endif
