/* Reads the state of a logbook and its backups, and formats its numbers for people. The rows are in
 * schema/status_fields.tsv. */
#include "recovery/facts.h"

#include <stddef.h>

#include "base/datetime.h"
#include "installation.h"

#define ROW(label, name, kind, place) {label, name, FACT_##kind, offsetof(struct facts, place)},
const struct fact facts_rows[] = {
#include "schema/status_fields.inc"
    {0},
};

enum store_result facts_read(struct store *store, const char *database, struct arena *arena,
                             struct facts *out)
{
    *out = (struct facts){.version = text_of(QSOSYNC_VERSION), .path = text_of(database)};
    store_find_backup_note(database, arena, &out->backup);
    out->kept = backup_list_kept(database, arena);
    return store_read_status(store, &out->logbook);
}

struct text facts_text(const struct facts *facts, const struct fact *fact)
{
    return *(const struct text *)(const void *)((const char *)facts + fact->place);
}

int64_t facts_number(const struct facts *facts, const struct fact *fact)
{
    return *(const int64_t *)(const void *)((const char *)facts + fact->place);
}

void facts_append_value(struct buffer *out, const struct facts *facts, const struct fact *fact)
{
    char time[DATETIME_TEXT_LENGTH];
    const struct text text = fact->kind == FACT_TEXT ? facts_text(facts, fact) : (struct text){0};
    const int64_t number = fact->kind == FACT_TEXT ? 0 : facts_number(facts, fact);
    if (fact->kind == FACT_TEXT)
        buffer_print(out, "%.*s", text.bytes ? (int)text.length : 1, text.bytes ? text.bytes : "-");
    else if (fact->kind == FACT_TIME && number == 0)
        buffer_append_string(out, "never");
    else if (fact->kind == FACT_TIME) {
        datetime_format(number, time);
        buffer_append(out, time, sizeof time);
    } else
        buffer_print(out, "%lld%s", (long long)number, fact->kind == FACT_BYTES ? " bytes" : "");
}
