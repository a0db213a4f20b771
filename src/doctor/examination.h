/* Defines an examination of a logbook or a service: the input that all checks share, and functions
 * that several checks need. */
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
    const char *folder; /* the logbook's folder, without the final slash */
    struct stat file;
    /* the first message logged since the last call to log_keep_first for this buffer */
    char said[LOG_KEPT_BYTES];
    struct user workers;    /* the user who must be able to read and write the logbook's files */
    struct worker *running; /* all workers that this process can see */
    /* process that blocks writers; 0: none; -1: a process that is not visible here, for example
     * because it runs outside this container */
    pid_t writer;
    const char *base, *site; /* the service's address, with /api/v1 at its end, and without */
    const char *host;        /* the host in the address */
    bool is_encrypted;       /* whether the address is https */
    bool is_apache;          /* whether fixes are for Apache, not for nginx */
    /* the service's own address, according to the service's answer; NULL: not given */
    const char *said_address;
    bool is_proxied; /* whether a proxy is in front of the web server */
    /* whether the checks must send no more requests, because the service fails or has received too
     * many requests */
    bool failed;
};

/* Returns "--db FILE " for a command about this logbook, or "" if the logbook is the default. */
const char *examination_option(struct examination *seen);

/* Return a printed text in the arena, and a word quoted for a shell. */
#define print(seen, ...) arena_print((seen)->arena, __VA_ARGS__)
#define quote(seen, word) shell_quote((seen)->arena, word)

/* Begins to examine the doctor's logbook, whether or not the logbook exists. Until
 * log_keep_first(NULL), the store's first message is kept, and no message is written. */
void examination_begin(struct examination *seen, struct doctor *doctor);

/* Returns the prefix for a command that this user must run; "" for root. A command that runs as the
 * owner of a file is harmless even if somebody has replaced the file with a link. */
const char *examination_as(struct examination *seen, uid_t user);

/* Returns the command that examines the logbook at this path. */
const char *examination_fix_for_other(struct examination *seen, const char *path);

/* Returns the command that restores the newest known backup, or NULL if no backup is known. *what
 * describes the logbook's fault; the function appends what a restore would lose. */
const char *examination_restore(struct examination *seen, const char **what);

/* Reads the service's own address, for links and QR codes, from the open logbook. If the logbook
 * has no address, QSOSYNC_ADDRESS in this process or in the pages' unit counts. *out stays valid as
 * long as the arena; an empty text: not set. Returns false if the logbook cannot be read. */
bool examination_read_address(struct examination *seen, struct text *out);

/* Regains root's rights until folder_act_as, if root runs the doctor. Returns the previous rights,
 * for example the rights of the logbook's owner. The owner's rights are enough while the doctor
 * reads content from other users: the logbook, its backups and answers. */
struct folder_ids examination_regain_rights(void);

#endif
