/* An examination of a logbook or a service: the input that all checks share, and what several
 * checks need about it. */
#ifndef QSOSYNC_DOCTOR_EXAMINATION_H
#define QSOSYNC_DOCTOR_EXAMINATION_H

#include <sys/stat.h>

#include "base/log.h"
#include "base/shell.h"
#include "base/users.h"
#include "doctor/doctor.h"
#include "doctor/machine.h"

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

/* "--db FILE " for a command about this logbook; "" if it is the commands' default. */
const char *examination_option(struct examination *seen);

/* Texts in the arena, and words of a command. */
#define print(seen, ...) arena_print((seen)->arena, __VA_ARGS__)
#define quote(seen, word) shell_quote((seen)->arena, word)

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
bool examination_read_address(struct examination *seen, struct text *out);

#endif
