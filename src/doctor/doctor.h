/* Finds what is wrong with an installation, and the command that fixes it: the interface for other
 * layers.
 *
 * Each cause is one finding. Its fix is a command to paste into root's shell, or a sentence if a
 * person must decide. The command never deletes, creates or changes anything that was right. The
 * doctor itself changes nothing and shows no key. src/admin/doctor.c has the command line. */
#ifndef QSOSYNC_DOCTOR_DOCTOR_H
#define QSOSYNC_DOCTOR_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "store/log/logbook.h"

enum finding_level { FINDING_OK, FINDING_WARNING, FINDING_PROBLEM };

/* One run of the doctor: the input of all checks, and their findings. */
struct doctor {
    struct arena *arena;     /* owns all texts */
    const char *database;    /* the logbook's path, as the operator gave it */
    const char *const *line; /* the command line behind the program; NULL follows the last */
    struct store *store;     /* open to read, where that was possible; otherwise NULL */
    /* For a worker, `store` is its own logbook. It must not open or close the logbook's files
     * otherwise (fcntl(2): its process would lose its locks), and it cannot see other processes. */
    bool is_worker;
    bool as_json; /* findings are an object for programs, and no lines for a person */
    struct buffer findings;
    enum finding_level worst;
    int problems;
};

/* Checks the logbook and its files, folder, disk, content and backups, and the workers, units and
 * web servers of this machine. Afterwards doctor->store is open if the logbook can be read. */
void doctor_examine_logbook(struct doctor *doctor);

/* The checks that a worker can run inside its sandbox. doctor->is_worker is set. A large logbook is
 * examined only in part, so that this takes no longer than a request may. */
void doctor_examine_as_worker(struct doctor *doctor);

/* The service at its address, as a client sees it, and compared with doctor->store, if that is
 * open. `key` (no text: none) is sent where the certificate is trusted, and appears in no finding.
 */
void doctor_examine_service(struct doctor *doctor, const char *url, struct text key);

/* Adds the findings to *out, once. */
void doctor_append_findings(struct doctor *doctor, struct buffer *out);

#endif
