/* The state of a logbook in numbers, as the command status shows it. */
#ifndef QSOSYNC_DOCTOR_FACTS_H
#define QSOSYNC_DOCTOR_FACTS_H

#include "base/buffer.h"
#include "recovery/backup.h"
#include "store/logbook.h"

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

#endif
