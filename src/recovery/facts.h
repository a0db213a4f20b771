/* Lists the state of a logbook as values, for the status command, the metrics and the operator's
 * page. */
#ifndef QSOSYNC_RECOVERY_FACTS_H
#define QSOSYNC_RECOVERY_FACTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "recovery/backup_note.h"
#include "recovery/kept_files.h"
#include "store/log/logbook.h"
#include "store/log/logbook_status.h"

struct facts {
    struct text version, path;
    struct logbook_status logbook;
    /* record of the last backup; made_at_ms is 0 if no backup was ever recorded */
    struct backup_note backup;
    struct kept_file *kept; /* logbooks kept by restores, and sites kept by put-site */
};

/* A number or a text for people and programs: a row in facts_rows. */
struct fact {
    const char *label, *name; /* names for people and in JSON; label NULL: end of the list */
    enum { FACT_NUMBER, FACT_BYTES, FACT_TIME, FACT_TEXT } kind;
    size_t place; /* offset in struct facts */
};
extern const struct fact facts_rows[];

/* Reads the facts about the open logbook, whose path is `database`. The texts are in the arena,
 * except the path, which still belongs to the caller. */
enum store_result facts_read(struct store *store, const char *database, struct arena *arena,
                             struct facts *out);

/* Return a fact's value: the text of a FACT_TEXT, or the number of any other kind (a time of 0
 * means never). facts_append_value formats a fact of any kind for people. */
struct text facts_text(const struct facts *facts, const struct fact *fact);
int64_t facts_number(const struct facts *facts, const struct fact *fact);
void facts_append_value(struct buffer *out, const struct facts *facts, const struct fact *fact);

#endif
