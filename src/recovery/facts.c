/* Reads the state of a logbook and its backups, and formats the values for people. The rows are in
 * the order in which the status command and the operator's page show them. */
#include "recovery/facts.h"

#include <stddef.h>

#include "base/datetime.h"
#include "installation.h"

const struct fact facts_rows[] = {
    {"version", "version", FACT_TEXT, offsetof(struct facts, version)},
    {"logbook", "logbook", FACT_TEXT, offsetof(struct facts, path)},
    {"database", "databaseBytes", FACT_BYTES, offsetof(struct facts, logbook.database_bytes)},
    {"write-ahead log", "walBytes", FACT_BYTES, offsetof(struct facts, logbook.log_bytes)},
    {"schema version", "schemaVersion", FACT_NUMBER,
     offsetof(struct facts, logbook.schema_version)},
    {"log epoch", "logEpoch", FACT_NUMBER, offsetof(struct facts, logbook.log_epoch)},
    {"members", "members", FACT_NUMBER, offsetof(struct facts, logbook.members)},
    {"active members", "activeMembers", FACT_NUMBER,
     offsetof(struct facts, logbook.active_members)},
    {"not set up yet", "membersOutside", FACT_NUMBER,
     offsetof(struct facts, logbook.members_outside)},
    {"operators", "operators", FACT_NUMBER, offsetof(struct facts, logbook.operators)},
    {"stations", "stations", FACT_NUMBER, offsetof(struct facts, logbook.stations)},
    {"signed in", "sessions", FACT_NUMBER, offsetof(struct facts, logbook.sessions)},
    {"active keys", "activeKeys", FACT_NUMBER, offsetof(struct facts, logbook.active_keys)},
    {"QSOs", "qsos", FACT_NUMBER, offsetof(struct facts, logbook.qsos)},
    {"spots", "spots", FACT_NUMBER, offsetof(struct facts, logbook.spots)},
    {"earlier versions", "formerStates", FACT_NUMBER,
     offsetof(struct facts, logbook.former_states)},
    {"tombstones", "tombstones", FACT_NUMBER, offsetof(struct facts, logbook.tombstones)},
    {"history", "historyBytes", FACT_BYTES, offsetof(struct facts, logbook.storage.history)},
    {"extra fields", "extraFieldsBytes", FACT_BYTES,
     offsetof(struct facts, logbook.storage.leftovers)},
    {"PoLo records", "poloBytes", FACT_BYTES, offsetof(struct facts, logbook.storage.polo)},
    {"QSL cards", "cardsBytes", FACT_BYTES, offsetof(struct facts, logbook.storage.cards)},
    {"known records", "knownRecordsBytes", FACT_BYTES,
     offsetof(struct facts, logbook.storage.known)},
    {"last write", "lastWriteAt", FACT_TIME, offsetof(struct facts, logbook.last_write_ms)},
    {"last backup", "lastBackupAt", FACT_TIME, offsetof(struct facts, backup.made_at_ms)},
    {"backup file", "lastBackup", FACT_TEXT, offsetof(struct facts, backup.path)},
    {"copied elsewhere", "lastBackupHandedOnAt", FACT_TIME,
     offsetof(struct facts, backup.handed_at_ms)},
    {"copy failed", "lastBackupFailure", FACT_TEXT, offsetof(struct facts, backup.failure)},
    {0},
};

enum store_result facts_read(struct store *store, const char *database, struct arena *arena,
                             struct facts *out)
{
    *out = (struct facts){.version = text_of(QSOSYNC_VERSION), .path = text_of(database)};
    backup_note_read(database, arena, &out->backup);
    out->kept = kept_files_list(database, arena);
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
