/* What the checks share: findings, words for a shell, and what can be read of this machine. */
#ifndef QSOSYNC_DOCTOR_MACHINE_H
#define QSOSYNC_DOCTOR_MACHINE_H

#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/log.h"
#include "base/text.h"
#include "doctor/doctor.h"

/* -- Findings ---------------------------------------------------------------------------------- */

struct examination;

/* Adds the finding of a check; true: all is well. `fix` is a line to paste, or what to do in words,
 * and left out where all is well; NULL: nothing can be advised. Texts are copied, and made
 * printable. */
bool findings_add(struct examination *seen, enum finding_level level, const char *check,
                  const char *fix, const char *format, ...) __attribute__((format(printf, 5, 6)));
#define fine(seen, check, ...) findings_add(seen, FINDING_OK, check, NULL, __VA_ARGS__)
#define warn(seen, check, fix, ...) findings_add(seen, FINDING_WARNING, check, fix, __VA_ARGS__)
#define trouble(seen, check, fix, ...) findings_add(seen, FINDING_PROBLEM, check, fix, __VA_ARGS__)

/* The word quoted for a shell, in the arena; itself where it needs no quotes. */
const char *shell_quote(struct arena *arena, const char *word);

/* "--db FILE " for a command about this logbook; "" where it is the one that commands take. */
const char *shell_database(struct examination *seen);

/* Texts in the arena, and words of a command. */
#define print(seen, ...) arena_print((seen)->arena, __VA_ARGS__)
#define quote(seen, word) shell_quote((seen)->arena, word)

/* -- Units of systemd, as they are written here: systemd may not run (systemd.unit(5)) --------- */

#define UNIT_VARIABLES_MAX 32

struct unit {
    const char *path;   /* of its file; NULL: there is none */
    const char *hidden; /* of the package's file of this name, which counts no longer; NULL: none */
    bool masked;        /* somebody has put /dev/null in its place: systemd never starts it */
    bool by_operator;   /* its file is below /etc */
    bool enabled;       /* it is started with the machine */
    const char *user;
    const char *port;                              /* ListenStream */
    const char *variables[UNIT_VARIABLES_MAX + 1]; /* "NAME=value"; NULL follows the last */
    const char *files[UNIT_VARIABLES_MAX];         /* the file in which each stands */
};

/* Reads the unit with its drop-ins, all of it into the arena. */
const struct unit *units_read(struct arena *arena, const char *name);

/* Whether the unit is there and gives its program this logbook. */
bool units_use_logbook(const struct unit *unit, const char *logbook);

/* The value of a variable that the unit sets, and the file where it stands (may be NULL); NULL: it
 * does not. */
const char *units_variable(const struct unit *unit, const char *name, const char **file);

/* -- Processes, files and users, as far as this user sees them --------------------------------- */

#define USER_GROUPS_MAX 32

struct user {
    uid_t id;
    gid_t groups[USER_GROUPS_MAX];
    int group_count;
    const char *name; /* the number, where there is no name */
};

enum worker_program { WORKER_API, WORKER_SITE };

struct worker {
    struct worker *next;
    pid_t pid;
    enum worker_program program;
    const char *path; /* of its program; NULL: this user may see no more than its name and user */
    bool is_old;      /* the file there is another one by now */
    uid_t user;
    const char *logbook; /* QSOSYNC_DB of its environment; NULL: not set, or not shown to us */
};

/* All of them, in the arena; NULL: none runs. A worker is known by its program's file, or if this
 * user may not see that, by its name alone, which a process gives itself. */
struct worker *processes_find_workers(struct arena *arena);

struct process {
    pid_t pid;        /* 0: there is none; -1: this user may not see which one it is */
    const char *name; /* what the program calls itself, which proves nothing */
};

/* The process that has this byte of the file locked now, and still has it after so many tenths of a
 * second. This process loses the locks that it has on the file itself (fcntl(2)): to be called
 * while it has no connection to the logbook. */
struct process processes_find_lock(struct arena *arena, const char *path, off_t byte, int tenths_s);

/* Whether somebody listens at this TCP port. Of one below 1024 only root can tell. */
bool processes_have_port(unsigned port);

/* A process as people read it. */
const char *processes_name(struct arena *arena, const struct process *process);

/* The first 64 kB of the file, NUL-terminated, in the arena, and their number, unless `length` is
 * NULL; NULL where it cannot be read or is no ordinary file, which is not waited for. Links are
 * followed. */
char *files_read(struct arena *arena, const char *path, size_t *length);

/* The sorted paths of what is in the folder (with its last slash) and whose name begins and ends
 * so, in the arena; NULL follows the last. */
const char **files_list(struct arena *arena, const char *folder, const char *beginning,
                        const char *end);

/* A user of the password database with all groups; false: there is none of that name. */
bool users_find(struct arena *arena, const char *name, struct user *out);
const char *users_name(struct arena *arena, uid_t id);

/* Whether that user may do what the bits say: R_OK, W_OK and X_OK (search) of unistd.h, together.
 */
bool users_may(const struct user *user, const struct stat *file, mode_t bits);

/* -- The logbook or service that is examined --------------------------------------------------- */

/* What stands between this machine and the service, as that says; NULL: it does not. */
struct way {
    const char *address; /* that it takes for its own */
    const char *client;  /* the address that it takes for this machine's */
    bool names_client;   /* X-Forwarded-For has arrived, and is not believed or not all of it */
    bool is_local;       /* the address that was asked is one of this machine */
    bool is_there;       /* a proxy stands before the web server */
};

struct examination {
    struct doctor *doctor;
    struct arena *arena;
    const char *path;   /* of the logbook, without links */
    const char *quoted; /* the path as a shell reads it */
    const char *folder; /* without the last slash */
    struct stat file, folder_file;
    char said[LOG_KEPT_BYTES];     /* the first message since the logbook was opened or checked */
    struct user workers;           /* the user who must be able to use the logbook and its files */
    struct worker *running;        /* all workers that this process sees */
    struct process writer, reader; /* who keeps others from writing, or the log from being cut */
    const char *base, *site;       /* of the service, with /api/v1 at its end, and without */
    const char *host;              /* the name in the address */
    bool is_encrypted;             /* the address is https */
    bool is_apache, is_nginx;      /* which web server answers, if its headers name it */
    const char *authorization;     /* header with the key; NULL: no key */
    struct way way;
    bool failed; /* the service has answered with 500 or more, from which nothing else follows */
};

/* Between them the store's messages are kept instead of written. Of the doctor's logbook, whether
 * it is there or not. */
void examination_begin(struct examination *seen, struct doctor *doctor);
void examination_end(void);

/* What stands before a command that this user is to run; nothing for root. As the owner of a file a
 * command can do no harm where somebody has put a link in its place. */
const char *examination_as(struct examination *seen, uid_t user);

/* What to do where no logbook is. */
const char *examination_fix_for_none(struct examination *seen);

/* Files, owners, modes, folder, disk: false where one of them keeps the logbook from being used, of
 * which an attempt to open it would be a consequence. */
bool files_check(struct examination *seen);
void files_check_disk(struct examination *seen);

/* One finding of damage of the logbook, which a restore mends; `what` says what it is. */
void backups_report_damage(struct examination *seen, const char *check, const char *what);
void backups_check(struct examination *seen);

/* Whether other clubs' services are asked, and answer. */
void peers_check(struct examination *seen);

/* Fills seen->workers: the user that the unit names which serves this logbook; without such a unit
 * the owner of its folder, or where that is root, of the logbook. */
void workers_find_user(struct examination *seen);

/* Whether the worker is this user's and has this logbook; of one whose program this process may not
 * see, the unit says which. */
bool workers_are_ours(struct examination *seen, const struct worker *worker);

/* Another logbook than this one that a unit names or, if `running`, a worker of this user serves;
 * NULL: there is none. */
const char *workers_find_other(struct examination *seen, bool running);

/* The command that runs the doctor on the logbook, as the user that its workers run as. */
const char *workers_fix_for_logbook(struct examination *seen);

/* Who keeps a lock for long, before this process opens the logbook; and the command that ends it: a
 * worker is restarted. */
void workers_find_locks(struct examination *seen);
const char *workers_fix_by_ending(struct examination *seen, const struct process *process);

/* Units with their settings and sockets, the workers, the lock that they share, their programs. */
void workers_check(struct examination *seen);

/* The units, their sockets, and whether workers run. False: a setting keeps the programs from
 * starting, or from this logbook. */
bool units_check(struct examination *seen);

/* The cluster's port, and a package beside what make install has put there. */
void units_check_installed(struct examination *seen);

/* Whether the units of this machine serve the logbook, and the API's socket is answered. */
bool units_are_reached(struct examination *seen);

/* Enables a shipped timer and starts its service; `otherwise` where these do not fit. */
const char *units_fix_by_timer(struct examination *seen, const char *name, const char *otherwise);

/* -- Web servers of this machine --------------------------------------------------------------- */

/* Looks whether those that have a site of QSOsync run, and why they do not. False: there is
 * trouble. */
bool fronts_check(struct examination *seen);

/* Whether a site of the service's name is on this machine; and the file of its certificate, NULL:
 * none. */
bool fronts_have_site(struct examination *seen, const char **certificate);

/* -- The service's own address ----------------------------------------------------------------- */

/* Of links and QR codes. As the open logbook has it or, without that, QSOSYNC_ADDRESS of this
 * process or of the pages' unit; no text: nobody has said it. In the arena. False: there is no
 * logbook to ask. */
bool own_address_read(struct examination *seen, struct text *out);

#endif
