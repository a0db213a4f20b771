/* Collects what is known of a logbook as a whole, and writes it for people and for programs: the
 * command status and the operator's page show the same. The numbers are read by the store; whether
 * one of them is bad is judged by the checks. */
#include <string.h>

#include "base/datetime.h"
#include "doctor/doctor.h"
#include "installation.h"
#include "json/write.h"

static void collect(struct facts *facts, const char *database)
{
    const struct logbook_status *logbook = &facts->logbook;
    const struct fact all[] = {
        {"version", "version", FACT_TEXT, 0, text_of(QSOSYNC_VERSION)},
        {"logbook", "logbook", FACT_TEXT, 0, text_of(database)},
        {"database", "databaseBytes", FACT_BYTES, logbook->database_bytes, {0}},
        {"write-ahead log", "walBytes", FACT_BYTES, logbook->log_bytes, {0}},
        {"schema version", "schemaVersion", FACT_NUMBER, logbook->schema_version, {0}},
        {"log epoch", "logEpoch", FACT_NUMBER, logbook->log_epoch, {0}},
        {"members", "members", FACT_NUMBER, logbook->members, {0}},
        {"active members", "activeMembers", FACT_NUMBER, logbook->active_members, {0}},
        {"not in yet", "membersOutside", FACT_NUMBER, logbook->members_outside, {0}},
        {"operators", "operators", FACT_NUMBER, logbook->operators, {0}},
        {"signed in", "sessions", FACT_NUMBER, logbook->sessions, {0}},
        {"active keys", "activeKeys", FACT_NUMBER, logbook->active_keys, {0}},
        {"QSOs", "qsos", FACT_NUMBER, logbook->qsos, {0}},
        {"spots", "spots", FACT_NUMBER, logbook->spots, {0}},
        {"former states", "formerStates", FACT_NUMBER, logbook->former_states, {0}},
        {"tombstones", "tombstones", FACT_NUMBER, logbook->tombstones, {0}},
        {"last write", "lastWriteAt", FACT_TIME, logbook->last_write_ms, {0}},
        {"last backup", "lastBackupAt", FACT_TIME, facts->backup.made_at_ms, {0}},
        {"backup file", "lastBackup", FACT_TEXT, 0, facts->backup.path},
        {"handed on", "lastBackupHandedOnAt", FACT_TIME, facts->backup.handed_at_ms, {0}},
        {"not handed on", "lastBackupFailure", FACT_TEXT, 0,
         facts->backup.failure.length ? facts->backup.failure : (struct text){0}},
    };
    _Static_assert(sizeof all <= sizeof facts->rows, "FACTS_MAX");
    memcpy(facts->rows, all, sizeof all);
    facts->count = (int)(sizeof all / sizeof *all);
}

enum store_result facts_read(struct store *store, const char *database, struct arena *arena,
                             struct facts *out)
{
    *out = (struct facts){0};
    enum store_result result = store_read_status(store, &out->logbook);
    if (result != STORE_DONE)
        return result;
    store_find_backup_note(database, arena, &out->backup);
    out->kept = backup_list_kept(database, arena);
    collect(out, database);
    return STORE_DONE;
}

void facts_append_value(struct buffer *out, const struct fact *fact)
{
    char time[DATETIME_TEXT_LENGTH];
    if (fact->kind == FACT_TEXT)
        buffer_append(out, fact->text.bytes ? fact->text.bytes : "-",
                      fact->text.bytes ? fact->text.length : 1);
    else if (fact->kind == FACT_TIME && fact->number == 0)
        buffer_append_string(out, "never");
    else if (fact->kind == FACT_TIME) {
        datetime_format(fact->number, time);
        buffer_append(out, time, sizeof time);
    } else
        buffer_print(out, "%lld%s", (long long)fact->number,
                     fact->kind == FACT_BYTES ? " bytes" : "");
}

void facts_write(struct buffer *out, const struct fact *fact)
{
    switch (fact->kind) {
    case FACT_TEXT:
        json_write_text(out, fact->name, fact->text);
        break;
    case FACT_TIME:
        json_write_time(out, fact->name, fact->number);
        break;
    case FACT_NUMBER:
    case FACT_BYTES:
        json_write_integer(out, fact->name, fact->number);
        break;
    }
}
