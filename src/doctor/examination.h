/* An examination of a logbook or a service: the input that all checks share, and functions that
 * several checks need. */
#ifndef QSOSYNC_DOCTOR_EXAMINATION_H
#define QSOSYNC_DOCTOR_EXAMINATION_H

#include <sys/stat.h>

#include "base/folder.h"
#include "base/log.h"
#include "base/shell.h"
#include "base/users.h"
#include "doctor/doctor.h"
#include "doctor/processes.h"

struct examination {
    struct doctor *doctor;
    struct arena *arena;
    const char *path;   /* path of the logbook, with links resolved */
    const char *quoted; /* the path, quoted for a shell */
    const char *folder; /* without the last slash */
    struct stat file;
    char said[LOG_KEPT_BYTES]; /* the first log message since the logbook was opened or checked */
    struct user workers;       /* the user who must be able to read and write the logbook's files */
    struct worker *running;    /* all workers that this process can see */
    pid_t writer; /* the process that blocks writers; 0: none; -1: this user may not see the process
                   */
    const char *base, *site;  /* address of the service, with /api/v1 at its end, and without */
    const char *host;         /* the name in the address */
    bool is_encrypted;        /* the address is https */
    bool is_apache;           /* fixes are for Apache, not nginx */
    const char *said_address; /* the service's own address, as its answer says; NULL: not given */
    bool is_proxied;          /* a proxy is in front of the web server */
    bool failed; /* the service fails, or this address sends too many requests: send no more */
};

/* Returns "--db FILE " for a command about this logbook, or "" if the logbook is the default. */
const char *examination_option(struct examination *seen);

/* Short names for texts in the arena, and for words quoted for a shell. */
#define print(seen, ...) arena_print((seen)->arena, __VA_ARGS__)
#define quote(seen, word) shell_quote((seen)->arena, word)

/* Begins to examine the doctor's logbook, whether or not it exists. From now until
 * log_keep_first(NULL), the store's messages are kept instead of written. */
void examination_begin(struct examination *seen, struct doctor *doctor);

/* Returns the prefix for a command that this user must run; "" for root. A command that runs as a
 * file's owner is harmless even if somebody has replaced the file with a link. */
const char *examination_as(struct examination *seen, uid_t user);

/* Returns the command that examines the logbook at this path. */
const char *examination_fix_for_other(struct examination *seen, const char *path);

/* Returns the command that restores the newest known backup, or NULL if no backup is known. *what
 * describes the logbook's fault; the loss is added to it. */
const char *examination_restore(struct examination *seen, const char **what);

/* Reads the service's own address, for links and QR codes, from the open logbook. If it is not set
 * there, it comes from QSOSYNC_ADDRESS in this process or the pages' unit. The text is in the
 * arena; no text: not set. Returns false if the logbook cannot be read. */
bool examination_read_address(struct examination *seen, struct text *out);

/* Takes root's rights back until folder_act_as, if root runs the doctor. Otherwise the doctor has
 * the rights of the logbook's owner while it reads content from other users: the logbook, its
 * backups, answers. */
struct folder_ids examination_regain_rights(void);

#endif
