/* Finds the faults of an installation, and the commands that fix them: the interface for other
 * layers.
 *
 * Each cause is one finding. Its fix is a command to paste into root's shell, or a sentence if a
 * person must decide. The command never deletes or changes anything that was right. The doctor
 * itself changes nothing and shows no key. src/admin/doctor.c has the command line. */
#ifndef QSOSYNC_DOCTOR_DOCTOR_H
#define QSOSYNC_DOCTOR_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/text.h"
#include "store/log/logbook.h"

enum finding_level { FINDING_OK, FINDING_WARNING, FINDING_PROBLEM };

/* One run of the doctor: the input of all checks, and their findings. */
struct doctor {
    struct arena *arena;     /* owns all texts */
    const char *database;    /* the logbook's path, as the operator has given it */
    const char *const *line; /* the arguments of the command line; ends with NULL */
    struct store *store;     /* the logbook, open for reading; NULL: not open */
    /* whether a worker checks its own logbook, which is `store`. The worker must not open the
     * logbook's files, because closing them would release the worker's locks (fcntl(2)). A worker
     * cannot see other processes. */
    bool is_worker;
    bool as_json; /* whether the findings are a JSON object instead of lines for people */
    struct buffer findings;
    enum finding_level worst;
    int problems;
};

/* Checks the logbook and its files, folder, disk, content and backups, and the workers, units and
 * web servers of this machine. Afterwards doctor->store is open if the logbook can be read. */
void doctor_examine_logbook(struct doctor *doctor);

/* Runs the checks that a worker can run inside its sandbox. The caller sets doctor->is_worker. A
 * large logbook is examined only in part, so that the request does not take too long. */
void doctor_examine_as_worker(struct doctor *doctor);

/* Checks the service at its address, from the view of a client, and compares the service with
 * doctor->store if the store is open. `key` (no text: none) is sent only within this machine or
 * with a trusted certificate, and does not appear in findings. */
void doctor_examine_service(struct doctor *doctor, const char *url, struct text key);

/* Appends the findings to *out, and frees them. Call this function once. */
void doctor_append_findings(struct doctor *doctor, struct buffer *out);

#endif
