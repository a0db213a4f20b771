/* The state of a logbook in numbers, for status, metrics and the operator's page. */
#ifndef QSOSYNC_RECOVERY_FACTS_H
#define QSOSYNC_RECOVERY_FACTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "recovery/backup.h"
#include "store/log/logbook.h"

struct facts {
    struct text version, path;
    struct logbook_status logbook;
    struct backup_note backup; /* made_at_ms 0: none was ever noted */
    struct kept_file *kept;    /* files kept by restores and put-site */
};

/* A number or a text that people and programs read: a row of facts_rows. */
struct fact {
    const char *label, *name; /* for people, and in JSON; NULL: no more follow */
    enum { FACT_NUMBER, FACT_BYTES, FACT_TIME, FACT_TEXT } kind;
    size_t place; /* in struct facts */
};
extern const struct fact facts_rows[];

/* Reads the facts of the open logbook with this path, which the caller still owns; in the arena. */
enum store_result facts_read(struct store *store, const char *database, struct arena *arena,
                             struct facts *out);

/* The value: of FACT_TEXT, and of the other kinds (of a time: 0 is never); and for people. */
struct text facts_text(const struct facts *facts, const struct fact *fact);
int64_t facts_number(const struct facts *facts, const struct fact *fact);
void facts_append_value(struct buffer *out, const struct facts *facts, const struct fact *fact);

#endif
