/* Reads the records from a phone. A QSO is read like an ADIF record, by the same rules. */
#include "transfer/polo.h"

#include "adif/leftovers.h"
#include "adif/mapping.h"
#include "adif/record.h"
#include "adif/rows.h"
#include "adif/standard.h"
#include "base/arena.h"
#include "base/text.h"
#include "base/text_hex.h"
#include "base/uuid.h"
#include "qso/qso.h"
#include "store/log/polo.h"

struct notice {
    struct arena *arena;
    const char *reason;
};

static void note_refusal(void *context, enum mapped_notice notice, struct text field, int64_t line,
                         const char *reason)
{
    struct notice *noted = context;
    (void)line;
    if (notice == NOTICE_REFUSED && !noted->reason)
        noted->reason =
            arena_print(noted->arena, "%.*s %s", (int)field.length, field.bytes, reason);
}

/* Adds the values in PoLo's QSO that ADIF cannot express. */
static void complete(struct polo_entry *entry, struct text callsign, struct arena *arena)
{
    struct mapped *mapped = &entry->record.mapped;
    struct value *values = mapped->qso.values;
    char *digits = arena_allocate(arena, (size_t)2 * UUID_BYTES);
    text_format_hex((const char *)entry->uuid, UUID_BYTES, digits);
    values[FIELD_CLIENT_ID] = (struct value){
        .text = (const char *)entry->uuid, .length = UUID_BYTES, .state = VALUE_PRESENT};
    values[FIELD_QSO_AT].integer = entry->sent->qso_at_ms;
    if (entry->sent->is_data)
        values[FIELD_MODE] = (struct value){.integer = MODE_DIGITAL, .state = VALUE_PRESENT};
    if (text_equals(qso_text(&mapped->qso, FIELD_OPERATOR_CALLSIGN), callsign))
        values[FIELD_OPERATOR_CALLSIGN].state = VALUE_NULL;
    mapped->ids[0] = (struct contact_id){text_of(CONTACT_POLO), {digits, (size_t)2 * UUID_BYTES}};
    mapped->id_count = 1;
    entry->record.takes_id = true;
}

static void map_qso(struct polo_entry *entry, struct text callsign, struct arena *arena)
{
    const struct record record = leftovers_list(entry->sent->adif, arena);
    struct notice noted = {.arena = arena};
    struct mapped_source source = {.member = callsign, .report = note_refusal, .context = &noted};
    const enum mapping_outcome outcome =
        mapping_read(&record, &source, arena, &entry->record.mapped);
    entry->is_for_log = outcome == MAPPING_QSO;
    if (entry->is_for_log)
        complete(entry, callsign, arena);
    entry->is_elsewhere = outcome == MAPPING_OTHER_BAND;
    if (entry->is_elsewhere)
        entry->reason = "it is on another band";
    else if (!entry->is_for_log)
        entry->reason = noted.reason ? noted.reason : "the record cannot be read";
}

static void read_entry(struct polo_entry *entry, enum polo_kind kind, const struct polo_sent *sent,
                       struct text callsign, struct arena *arena)
{
    static const unsigned char nobodys[UUID_BYTES];
    *entry = (struct polo_entry){.kind = kind, .sent = sent};
    const bool has_uuid = uuid_parse_text(sent->uuid, entry->uuid);
    if (!has_uuid)
        uuid_make_named(nobodys, sent->body, entry->uuid);
    if (kind != POLO_QSO || sent->is_event)
        return;
    if (has_uuid)
        map_qso(entry, callsign, arena);
    else
        entry->reason = "the record's uuid is not a UUID";
}

enum store_result polo_read(struct store *store, struct text json, struct text callsign,
                            struct arena *arena, int64_t now_ms, struct polo_request *out)
{
    static const char *const paths[] = {"$.operations", "$.qsos"};
    struct polo_sent *lists[2], *settings = arena_allocate_zeroed(arena, sizeof *settings);
    size_t counts[2] = {0};
    enum store_result result = store_polo_read_question(store, json, arena, &out->question);
    for (int kind = 0; kind < 2 && result == STORE_DONE; kind++)
        result = store_polo_read_sent(store, json, paths[kind], arena, &lists[kind], &counts[kind]);
    if (result != STORE_DONE)
        return result;
    out->count = 0;
    out->entries = arena_allocate(arena, (counts[0] + counts[1] + 1) * sizeof *out->entries);
    for (int kind = 0; kind < 2; kind++) {
        out->sent[kind] = (int64_t)counts[kind];
        for (size_t i = 0; i < counts[kind]; i++)
            read_entry(&out->entries[out->count++], (enum polo_kind)kind, &lists[kind][i], callsign,
                       arena);
    }
    if (out->question.settings.length > 0) {
        *settings = (struct polo_sent){.body = out->question.settings,
                                       .uuid = text_of("00000000-0000-0000-0000-000000000000"),
                                       .updated_ms = now_ms};
        read_entry(&out->entries[out->count++], POLO_SETTINGS, settings, callsign, arena);
    }
    return STORE_DONE;
}
