/* What the checks of a logbook and of its machine share. */
#ifndef QSOSYNC_DOCTOR_MACHINE_H
#define QSOSYNC_DOCTOR_MACHINE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/text.h"
#include "doctor/doctor.h"
#include "recovery/backup.h"

/* The word quoted for a shell, in the arena; itself where it needs no quotes. */
const char *shell_quote(struct arena *arena, const char *word);

/* The first 64 kB of the file, NUL-terminated, in the arena; NULL where it cannot be read or is no
 * ordinary file, which is not waited for. Links are followed. */
char *file_text_read(struct arena *arena, const char *path, size_t *length);

#define UNIT_VARIABLES_MAX 32

struct unit {
    const char *path; /* of its file; NULL: there is none */
    const char
        *hidden;      /* of a file of the same name that counts no longer, the package's; or NULL */
    bool by_operator; /* its file is below /etc */
    bool enabled;     /* it is started with the machine */
    const char *user;
    const char *port;                              /* ListenStream */
    const char *variables[UNIT_VARIABLES_MAX + 1]; /* "NAME=value"; NULL follows the last */
    const char *files[UNIT_VARIABLES_MAX];         /* the file in which each stands */
};

/* Reads the unit with its drop-ins, all of it into the arena. */
void units_read(struct arena *arena, const char *name, struct unit *out);

/* Whether the unit is there and gives its program this logbook. */
bool units_use_logbook(const struct unit *unit, const char *logbook);

/* The value of a variable that the unit sets; NULL: it does not. */
const char *units_variable(const struct unit *unit, const char *name);

#define WORKER_GROUPS_MAX 32

/* The user that a process runs as. */
struct worker_user {
    uid_t user;
    gid_t groups[WORKER_GROUPS_MAX];
    int group_count;
};

enum worker_program { WORKER_API, WORKER_SITE };

struct worker {
    struct worker *next;
    pid_t pid;
    enum worker_program program;
    const char *path; /* of its program; NULL: is_closed */
    bool is_old;      /* the file there is another one by now */
    bool is_closed;   /* this user may see no more than its name and user */
    struct worker_user runs_as;
    const char *logbook; /* QSOSYNC_DB of its environment; NULL: not set, or not shown to us */
};

/* All of them, in the arena; NULL: none runs. A worker is known by its program's file. Where
 * is_closed is set it is known by its name alone, which a process gives itself. */
struct worker *workers_find(struct arena *arena);

/* A user of the password database with all groups; false: there is none of that name. */
bool workers_look_up_user(const char *name, struct worker_user *out);

/* Whether that user may do what the bits say: R_OK, W_OK and X_OK (search) of unistd.h, together.
 */
bool workers_may(const struct worker_user *user, const struct stat *file, mode_t bits);

/* The user's name, or the number where there is none. */
const char *workers_user_name(struct arena *arena, uid_t user);

struct holder {
    pid_t pid;        /* 0: none was seen */
    const char *name; /* what the program calls itself, which proves nothing */
};

/* A process that has some byte from first to last locked now, and still has it a moment later. */
struct holder holders_find(struct arena *arena, const char *path, off_t first, off_t last);

/* As the open logbook has it or, without that, QSOSYNC_ADDRESS of this process or of the pages'
 * unit; no text: nobody has said it. In the arena. False: there is no logbook to ask. */
bool own_address_read(struct doctor *doctor, struct text *out);

/* The command that sets it. */
const char *own_address_fix(struct doctor *doctor, const char *address);

struct named_user {
    struct worker_user runs_as;
    const char *name;
};

/* The user that the workers of this logbook run as: the one that the unit names which serves it;
 * without such a unit the user of a worker that runs and may use the logbook's folder; otherwise
 * the owner of that folder, or where that is root, of the logbook. */
void check_workers_find_user(struct doctor *doctor, const char *folder, struct named_user *out);

/* The logbook that a worker of this user serves where it is another than `logbook`; NULL: there is
 * none. */
const char *check_workers_find_other(struct arena *arena, const struct named_user *user,
                                     const char *logbook);

/* The command that runs the doctor on the logbook, as the user that its workers run as. */
const char *check_workers_fix_for_logbook(struct doctor *doctor);

/* A process as people read it, and the command that ends it; a worker is restarted. */
const char *check_workers_name_holder(struct arena *arena, const struct holder *holder);
const char *check_workers_fix_by_ending(struct arena *arena, const struct holder *holder);

/* `expected` is who check_workers_find_user has found. */
void check_workers(struct doctor *doctor, const struct named_user *expected,
                   struct findings *findings);

/* Whether systemd finds a unit of that name: one that the operator has put there, or the package.
 */
bool check_units_has(struct arena *arena, const char *name);

/* Looks for wrong settings, from which no worker starts. False where there is one: what follows
 * from it need not be told. */
bool check_units_settings(struct doctor *doctor, struct findings *findings);

/* The socket of NAME.socket, if NAME.service gives its workers this logbook; it is expected where
 * it is `needed`, or the operator has put or enabled the unit. False where requests cannot reach
 * it. */
bool check_units_socket(struct doctor *doctor, const char *check, const char *name, bool needed,
                        struct findings *findings);

/* The port of the cluster feed, and a package that was
 * installed beside what make install has put there. */
void check_units_installed(struct doctor *doctor, struct findings *findings);

struct examination {
    struct doctor *doctor;
    struct findings *findings;
    const char *path;      /* of the logbook, without links */
    const char *quoted;    /* the path as a shell reads it */
    char folder[PATH_MAX]; /* without the last slash */
    struct stat file, folder_file;
    struct named_user workers; /* the user who must be able to use the logbook and its files */
};

/* Finds the logbook's folder and the user of the workers. file and folder_file are filled by the
 * checks that look at them. */
void examination_begin(struct examination *seen, struct doctor *doctor, struct findings *findings);

/* What stands before a command that this user is to run; nothing for root. As the owner of a file a
 * command can do no harm where somebody has put a link in its place. */
const char *examination_as(const struct examination *seen, uid_t user);

/* Makes a logbook, or brings the schema of one up to date. */
const char *examination_fix_by_init(const struct examination *seen);

/* Asks the doctor itself, who sees more from outside of a worker. */
const char *examination_fix_by_doctor(const struct examination *seen);

/* Where there is no logbook: makes one, unless a note shows that there was one. */
const char *examination_fix_for_none(const struct examination *seen);

/* Restores it from the last backup that is known here: for damage alone. */
const char *examination_fix_for_damage(const struct examination *seen);

/* The end of a sentence, what that would lose; "" where no backup is known. */
const char *examination_tell_loss(const struct examination *seen);

/* Enables the shipped timer, where it fits; otherwise makes one backup, for a timetable of one's
 * own. */
const char *examination_fix_for_backups(const struct examination *seen);

/* Schema, write-ahead log, stamps, content, backups and own address of the logbook in
 * doctor->store. seen->file is filled. */
void check_content(struct examination *seen);

/* One finding for a logbook that cannot be opened or read; `what` says what failed. */
void check_content_report_failure(struct examination *seen, const char *check, const char *what);

/* False where there is no file that other checks could look at. */
bool check_files_find(struct examination *seen);

/* False where the files beside it, or the rights to them, keep the logbook from being opened: what
 * an attempt would say is a consequence. */
bool check_files_owners(struct examination *seen);
bool check_files_folder(struct examination *seen);

void check_files_space(struct examination *seen);
void check_files_system(struct examination *seen);

/* Adds a finding for each site of nginx or Apache that still lets the web server ask for passwords
 * of the file that former versions wrote beside this logbook: nobody can sign in there; and one
 * where nginx has not read its files since they were changed. */
void check_sites(struct examination *seen);

#endif
