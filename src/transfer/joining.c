/* Saves records. An upload token corrects only values that it has written itself. news.c decides
 * which values of a record are new; src/adif/merge.c joins a record with a QSO. */
#include "transfer/joining.h"

#include <string.h>

#include "adif/leftovers.h"
#include "adif/mapping.h"
#include "adif/merge.h"
#include "adif/notes.h"
#include "adif/said.h"
#include "base/text_utf8.h"
#include "base/text_visible.h"
#include "base/uuid.h"
#include "qso/content.h"
#include "qso/fields.h"
#include "qso/values.h"
#include "store/log/leftovers.h"
#include "store/storage.h"
#include "transfer/news.h"

struct joining {
    struct transaction *transaction;
    struct matching *matching;
    const struct identity *writer;
    struct matching_record *record;
    struct arena *arena;
    struct merging merging;
    struct news news;
    struct text leftovers; /* that replace the stored ones; no text: unchanged */
};

/* -- Merging ----------------------------------------------------------------------------------- */

/* An upload token is in many programs; its holder must not be able to remove anything. */
static enum store_result choose_way(struct joining *joining)
{
    const struct identity *writer = joining->writer;
    int64_t token = 0;
    enum store_result result = STORE_DONE;
    if (matching_source(joining->matching)->only_fills) {
        if (joining->merging.stored)
            result = store_find_token_of_qso(joining->transaction->store, joining->record->qso_id,
                                             &token);
        joining->merging.way = token == writer->key_number ? MERGE_ADD : MERGE_FILL;
    } else {
        joining->merging.way = joining->record->is_own ? MERGE_REPLACE : MERGE_ADD;
    }
    return result;
}

/* -- Leftovers --------------------------------------------------------------------------------- */

/* A record's extra fields replace all stored ones, except those that contradict the joined QSO or
 * repeat it in another form. An upload token adds them only if the QSO has none. */
static enum store_result choose_leftovers(struct joining *joining, const struct qso *merged)
{
    const struct merging *merging = &joining->merging;
    struct arena *arena = joining->arena;
    struct text brought = joining->record->mapped.leftovers, kept = {0};
    const bool is_news =
        merging->way == MERGE_REPLACE || joining->news.found.is_news[SAID_LEFTOVERS];
    joining->leftovers = (struct text){0};
    if (brought.length == 0 || (merging->stored && !is_news))
        return STORE_DONE;
    if (!merging->stored) {
        joining->leftovers = brought;
        return STORE_DONE;
    }
    enum store_result result =
        store_find_leftovers(joining->transaction->store, joining->writer->member_id,
                             joining->record->qso_id, arena, &kept);
    if (result != STORE_DONE || text_equals(brought, kept) ||
        (merging->way == MERGE_FILL && kept.length > 0))
        return result;
    const struct text member = joining->writer->callsign;
    brought = merging->way == MERGE_FILL ? leftovers_select(brought, 0, arena)
                                         : mapping_filter_leftovers(merged, brought, member, arena);
    kept = mapping_filter_leftovers(merged, kept, member, arena);
    if (brought.length > 0 && !text_equals(brought, kept))
        joining->leftovers = brought;
    return STORE_DONE;
}

static enum store_result has_room(const struct joining *joining, int64_t bytes, bool *fits)
{
    return matching_make_room(joining->matching, joining->transaction, bytes, fits);
}

/* A value that is left out counts as never sent: it may come again. */
static enum store_result make_room(struct joining *joining, struct joined *out)
{
    bool fits = true;
    enum store_result result = STORE_DONE;
    if (joining->leftovers.length > 0)
        result =
            has_room(joining, STORAGE_OF_LEFTOVERS + (int64_t)joining->leftovers.length, &fits);
    if (fits)
        return result;
    out->has_no_room = true;
    joining->leftovers = (struct text){0};
    joining->record->said.digests[SAID_LEFTOVERS] = 0;
    return result;
}

/* -- Recorded values --------------------------------------------------------------------------- */

static struct text show(const struct field *field, const struct value *value, struct arena *arena)
{
    struct buffer out = {0};
    if (value->state != VALUE_PRESENT)
        return (struct text){0};
    values_format(field, value, &out);
    struct text rest = {out.bytes, out.length};
    for (int i = 0; i < JOINED_VALUE_MAX && rest.length > 0; i++)
        rest = text_skip(rest, text_first_length(rest));
    char *shown = arena_copy(arena, out.bytes ? out.bytes : "", out.length - rest.length);
    const struct text text = {shown, out.length - rest.length};
    buffer_free(&out);
    text_replace_control(shown, text.length);
    return text;
}

static bool has_value(const struct field *field, const struct value *value)
{
    return value->state == VALUE_PRESENT && (field->kind != KIND_BOOLEAN || value->integer);
}

/* Whether a part of the notes has changed; further parts only complete them. */
static bool are_notes_corrected(const struct qso *stored, const struct qso *merged)
{
    const struct notes before = notes_of_qso(stored), after = notes_of_qso(merged);
    for (int part = 0; part < NOTES_PART_COUNT; part++)
        if (before.parts[part].bytes && !text_equals(before.parts[part], after.parts[part]))
            return true;
    return false;
}

/* Values that take the place of others, and those of the record that do not. */
static void compare_values(const struct joining *joining, const struct qso *merged,
                           joined_visitor *visit, void *context, struct joined *out)
{
    const struct merging *merging = &joining->merging;
    for (int i = 0; i < FIELD_COUNT; i++) {
        const struct field *field = &fields[i];
        const struct value *old = &merging->stored->values[i], *new = &merged->values[i];
        if (!content_has(field) || i == FIELD_CLIENT_ID)
            continue;
        const bool is_corrected =
            has_value(field, old) && !values_equal(field, old, new) &&
            (i != FIELD_NOTES || are_notes_corrected(merging->stored, merged));
        const bool is_kept = merging->way == MERGE_FILL && i != FIELD_NOTES && !is_corrected &&
                             merge_keeps_another(merging, merged, (enum field_index)i);
        out->is_corrected = out->is_corrected || is_corrected;
        if (visit && is_corrected)
            visit(context, JOINED_CORRECTED, field, show(field, old, joining->arena),
                  show(field, new, joining->arena));
        else if (visit && is_kept)
            visit(context, JOINED_KEPT, field, show(field, old, joining->arena),
                  show(field, &joining->record->mapped.qso.values[i], joining->arena));
    }
}

/* -- Saving ------------------------------------------------------------------------------------ */

static void choose_client_id(const struct joining *joining, struct qso *merged)
{
    struct value *client_id = &merged->values[FIELD_CLIENT_ID];
    const struct qso *stored = joining->merging.stored;
    *client_id = joining->record->mapped.qso.values[FIELD_CLIENT_ID];
    if (stored) {
        *client_id = stored->values[FIELD_CLIENT_ID];
        if (client_id->state != VALUE_PRESENT)
            merged->values[FIELD_ID] = stored->values[FIELD_ID];
    } else if (client_id->state != VALUE_PRESENT) {
        unsigned char *made = arena_allocate(joining->arena, UUID_BYTES);
        uuid_make_random(made);
        *client_id = (struct value){
            .text = (const char *)made, .length = UUID_BYTES, .state = VALUE_PRESENT};
    }
}

/* Only clients of the API ask for a spot. */
static bool choose_spot(const struct joining *joining, struct qso *merged)
{
    const struct value *send_spot = &joining->record->mapped.qso.values[FIELD_SEND_SPOT];
    const struct qso *stored = joining->merging.stored;
    const bool wants_spot = send_spot->state == VALUE_PRESENT && send_spot->integer;
    if (wants_spot)
        merged->values[FIELD_SEND_SPOT] = *send_spot;
    return wants_spot && (!stored || stored->values[FIELD_SPOTTED_AT].state != VALUE_PRESENT);
}

static enum store_result save_qso(const struct joining *joining, const struct qso *qso,
                                  struct joined *out)
{
    struct identity writer = *joining->writer;
    if (writer.is_station)
        writer.maker = joining->record->mapped.maker;
    return store_save_qso(joining->transaction, &writer, qso, joining->leftovers, &out->saved);
}

/* Ids from earlier records are stored already. */
static enum store_result remember_ids(const struct joining *joining, int64_t qso_id)
{
    const struct matching_record *record = joining->record;
    enum store_result result = STORE_DONE;
    for (size_t i = 0; i < record->mapped.id_count && result == STORE_DONE; i++) {
        const struct contact_id id = record->mapped.ids[i];
        bool fits = false;
        if (said_holds(record->said_before, record->said.digests[(size_t)SAID_IDS + i]))
            continue;
        result = has_room(joining, STORAGE_OF_ID + (int64_t)id.id.length, &fits);
        if (fits)
            THEN(result, store_write_program_id(joining->transaction, joining->writer->member_id,
                                                qso_id, id));
    }
    return result;
}

static enum store_result remember(const struct joining *joining, int64_t qso_id, bool is_new,
                                  struct joined *out)
{
    const struct matching_record *record = joining->record;
    const struct contact *contact = &record->contact;
    unsigned char digests[SAID_BYTES_MAX];
    _Static_assert(SAID_BYTES_MAX <= KNOWN_SAID_MAX, "the schema has room for all of it");
    const bool was_long = contact->end_ms - contact->start_ms > CONTACT_WINDOW_MS;
    const struct known_row row = {.key = record->key,
                                  .source = record->source,
                                  .until_ms = was_long ? contact->end_ms : 0,
                                  .said = said_write(&record->said, digests)};
    bool fits = false;
    enum store_result result =
        has_room(joining, STORAGE_OF_RECORD + (int64_t)row.said.length, &fits);
    out->is_forgotten = !fits;
    out->writes = out->writes || fits;
    if (fits)
        THEN(result, news_withdraw(&joining->news));
    if (fits)
        THEN(result, store_write_known(joining->transaction, joining->writer->member_id, qso_id,
                                       is_new, &row));
    return THEN(result, remember_ids(joining, qso_id));
}

enum store_result joining_save(struct transaction *transaction, struct matching *matching,
                               const struct identity *writer, struct matching_record *record,
                               joined_visitor *visit, void *context, struct arena *arena,
                               struct joined *out)
{
    struct joining joining = {.transaction = transaction,
                              .matching = matching,
                              .writer = writer,
                              .record = record,
                              .arena = arena,
                              .news = {.transaction = transaction,
                                       .member_id = writer->member_id,
                                       .record = record,
                                       .arena = arena}};
    struct qso merged;
    joining.merging =
        (struct merging){.record = &record->mapped,
                         .stored = record->state == MATCHING_STORED ? &record->stored : NULL,
                         .news = &joining.news.found,
                         .own = matching_own(matching)};
    *out = (struct joined){.is_new = !joining.merging.stored};
    enum store_result result = news_find(&joining.news, matching_source(matching)->is_one_program);
    THEN(result, choose_way(&joining));
    if (result != STORE_DONE)
        return result;
    bool differs = merge_record(&joining.merging, arena, &merged);
    choose_client_id(&joining, &merged);
    differs = choose_spot(&joining, &merged) || differs;
    result = choose_leftovers(&joining, &merged);
    THEN(result, make_room(&joining, out));
    if (result == STORE_DONE && (differs || joining.leftovers.length > 0)) {
        out->writes = out->is_changed = true;
        result = save_qso(&joining, &merged, out);
    }
    if (result != STORE_DONE)
        return result;
    if (joining.merging.stored)
        compare_values(&joining, &merged, visit, context, out);
    if (out->is_new)
        matching_take(matching, out->saved.id);
    const int64_t qso_id = out->is_new ? out->saved.id : record->qso_id;
    if (news_is_remembered(record))
        return out->is_changed ? remember_ids(&joining, qso_id) : STORE_DONE;
    news_mark_vain(&joining.news, &joining.merging, &merged, joining.leftovers.length > 0);
    return remember(&joining, qso_id, out->is_new, out);
}
