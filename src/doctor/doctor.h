/* Finds what is wrong with an installation, and the command that fixes it: the interface for other
 * layers.
 *
 * Each cause is one finding. Its fix is a command to paste into root's shell, which deletes,
 * creates or changes nothing that was right, or a sentence if a person has to decide. Nothing is
 * changed here, and no key is shown. The command line is left to src/admin/doctor.c. */
#ifndef QSOSYNC_DOCTOR_DOCTOR_H
#define QSOSYNC_DOCTOR_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "recovery/backup.h"
#include "store/logbook.h"

enum finding_level { FINDING_OK, FINDING_WARNING, FINDING_PROBLEM };

/* One run of the doctor: what all checks are given, and what they find. */
struct doctor {
    struct arena *arena;     /* of all texts */
    const char *database;    /* the logbook's path, as the operator gave it */
    const char *const *line; /* the command line behind the program; NULL follows the last */
    struct store *store;     /* open to read, where that was possible; otherwise NULL */
    /* A worker asks: `store` is its own logbook, whose files it must neither open nor close beside
     * that (fcntl(2): its process would lose its locks), and it sees no other process. */
    bool is_worker;
    bool as_json; /* findings are an object for programs, and no lines for a person */
    struct buffer findings;
    enum finding_level worst;
    int problems;
};

/* The logbook and the files beside it, its folder, disk, content and backups, the workers, units
 * and web servers of this machine. doctor->store is open afterwards, if the logbook can be read. */
void doctor_examine_logbook(struct doctor *doctor);

/* Those of these checks that a worker can make inside its sandbox. doctor->is_worker is set. A
 * large logbook is not examined whole, so that this takes no longer than a request may. */
void doctor_examine_as_worker(struct doctor *doctor);

/* The service at its address, as a client sees it, and compared with doctor->store, if that is
 * open. `key` (no text: none) is sent where the certificate is trusted, and appears in no finding.
 */
void doctor_examine_service(struct doctor *doctor, const char *url, struct text key);

/* Adds what was found to *out, once. */
void doctor_append_findings(struct doctor *doctor, struct buffer *out);

/* -- The state of a logbook in numbers, as the command status shows it ------------------------- */

struct facts {
    struct text version, path;
    struct logbook_status logbook;
    struct backup_note backup; /* made_at_ms 0: none was ever noted */
    struct kept_file *kept;    /* of restores and put-site */
};

/* One number or text that people and programs read: a row of schema/status_fields.tsv. */
struct fact {
    const char *label, *name; /* for people, and in JSON; NULL: no more follow */
    enum { FACT_NUMBER, FACT_BYTES, FACT_TIME, FACT_TEXT } kind;
    size_t place; /* in struct facts */
};
extern const struct fact facts_rows[];

/* Of the logbook that is open, which stays the caller's, and has this path; in the arena. */
enum store_result facts_read(struct store *store, const char *database, struct arena *arena,
                             struct facts *out);

/* The value: of FACT_TEXT, and of the other kinds (of a time: 0 is never); and for people. */
struct text facts_text(const struct facts *facts, const struct fact *fact);
int64_t facts_number(const struct facts *facts, const struct fact *fact);
void facts_append_value(struct buffer *out, const struct facts *facts, const struct fact *fact);

/* -- Which user may open a logbook ------------------------------------------------------------- */

/* The commonest mistake, which all commands and the doctor explain in the same words: whether this
 * user may not read a file, or where `to_write` not read and write it and make files beside it (one
 * that does not exist yet is judged by its folder), because it belongs to somebody else. Who that
 * is, as a sentence, and the command line run as that user, of which `line` is what stands behind
 * the program; NULL: the user may, or whoever opens the file tells the rest. In the arena. */
const char *access_find_refusal(struct arena *arena, const char *const *line, const char *path,
                                bool to_write, const char **command);

#endif
