/* Finds what is wrong with an installation, and the command that mends it: what other layers call.
 * Nothing is changed, and no key is shown. The command line and the output are left to
 * src/admin/doctor.c. */
#ifndef QSOSYNC_DOCTOR_DOCTOR_H
#define QSOSYNC_DOCTOR_DOCTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "recovery/backup.h"
#include "store/credentials.h"
#include "store/logbook.h"

enum finding_level { FINDING_OK, FINDING_WARNING, FINDING_PROBLEM };

struct findings {
    struct arena *arena;
    struct finding *first, *last;
    enum finding_level worst;
    int problems;
};

/* Adds a finding of a check. `fix` is a command, or what to write where; NULL where all is well or
 * nothing can be advised. Both texts are copied. */
void findings_add(struct findings *findings, enum finding_level level, const char *check,
                  const char *fix, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* The lines for a person, or a JSON object for programs. */
void findings_append(const struct findings *findings, bool json, struct buffer *out);

/* What all checks of one run are given. */
struct doctor {
    struct arena *arena;     /* of all texts */
    const char *database;    /* the logbook's path, as the operator gave it */
    const char *const *line; /* the command line behind the program; NULL follows the last */
    struct store *store;     /* open to read, where that was possible; otherwise NULL */
    /* A worker asks: `store` is its own logbook, whose files it must neither open nor close beside
     * that (fcntl(2): its process would lose its locks), and it sees no other process. */
    bool is_worker;
    void (*show_progress)(const char *phase, int64_t done, int64_t total);
};

/* The logbook and the files beside it, its folder, disk and file system, its content and its
 * backups, the workers and their socket. Changes nothing. doctor->store is open afterwards, if
 * the logbook can be read. */
void check_logbook(struct doctor *doctor, struct findings *findings);

/* Those of them that a worker can run inside its sandbox, on the logbook that it has open: disk,
 * file system, content, backups. doctor->is_worker is set. A large logbook is not examined whole,
 * so that this takes no longer than a request may. */
void check_logbook_of_worker(struct doctor *doctor, struct findings *findings);

/* Whether it answers, its certificate, what the web server lets through in both directions, CORS,
 * the way on which members sign in, the request limit, its clock. `key` (no text: none) is sent
 * where the certificate is trusted, and appears in no finding. Where doctor->store is open, the
 * logbook there is compared. `gentle`: without the check that uses up this address's requests of a
 * minute. Nothing is saved. */
void check_service(struct doctor *doctor, const char *url, struct text key, bool gentle,
                   struct findings *findings);

/* One number or text that people and programs read. */
struct fact {
    const char *label, *name; /* for people, and in JSON */
    enum { FACT_NUMBER, FACT_BYTES, FACT_TIME, FACT_TEXT } kind;
    int64_t number; /* of a time: 0 is never */
    struct text text;
};

#define FACTS_MAX 24

struct facts {
    struct logbook_status logbook;
    struct backup_note backup; /* made_at_ms 0: none was ever noted */
    struct fact rows[FACTS_MAX];
    int count;
};

/* Of the logbook that is open and has this path, which stays the caller's; texts are in the arena.
 */
enum store_result facts_read(struct store *store, const char *database, struct arena *arena,
                             struct facts *out);

/* The value for people. */
void facts_append_value(struct buffer *out, const struct fact *fact);

/* The fact as a field of a JSON object. */
void facts_write(struct buffer *out, const struct fact *fact);

/* All of it in the arena. */
struct access_refusal {
    const char *refusing; /* the file or folder that this user may not use */
    const char *owner;
    const char *command; /* the command line, run as that user */
};

/* Whether this user may not read a file, or where `to_write` not read and write it and make files
 * beside it (a file that does not exist yet is judged by its folder), because it belongs to
 * somebody else. `line` is the command line behind the program; NULL follows the last word. Other
 * reasons are reported by whoever opens the file. */
bool access_find_refusal(struct arena *arena, const char *const *line, const char *path,
                         bool to_write, struct access_refusal *out);

#endif
