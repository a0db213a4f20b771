/* Finds the new values in a record: values that the record's source has not sent before. The known
 * records of other sources show which values programs only pass on. */
#include "transfer/new_values.h"

#include "adif/mapping.h"
#include "adif/merge.h"
#include "adif/notes.h"
#include "adif/rows.h"
#include "adif/said.h"
#include "base/buffer.h"
#include "qso/fields.h"

struct digests {
    /* source whose digests are not added; no text: the digests of all sources are added */
    struct text except;
    struct buffer all;
};

static void add_digests(void *context, const struct known_row *row)
{
    struct digests *digests = context;
    if (digests->except.length == 0 || !text_equals(row->source, digests->except))
        buffer_append(&digests->all, row->said.bytes, row->said.length);
}

/* Returns whether the record's source has sent the stored value before. If so, the source may
 * correct the value. */
static bool is_own_word(const struct new_values *new_values, const struct said *stored,
                        size_t which)
{
    return stored->digests[which] &&
           said_holds(new_values->record->said_before, stored->digests[which]);
}

static void find_new_among(struct new_values *new_values, struct text others)
{
    const struct matching_record *record = new_values->record;
    const struct said *now = &record->said;
    struct said stored = {{0}};
    bool *is_new = new_values->found.is_new;
    if (record->state == MATCHING_STORED)
        said_read(&(struct mapped){.qso = record->stored, .notes = notes_of_qso(&record->stored)},
                  &stored);
    for (size_t i = 0; i < SAID_COUNT; i++)
        is_new[i] = now->digests[i] && !said_was_sent(record->said_before, now->digests[i]) &&
                    (!said_holds(others, now->digests[i]) || is_own_word(new_values, &stored, i));
    /* If the band is new, the frequency and the channel also count as new, because the stored
     * values are of the old band. */
    is_new[FIELD_FREQUENCY] = is_new[FIELD_FREQUENCY] || is_new[FIELD_BAND];
    is_new[FIELD_CHANNEL] = is_new[FIELD_CHANNEL] || is_new[FIELD_BAND];
}

static bool has_id_of(const struct matching_record *record, struct text said)
{
    for (size_t i = SAID_IDS; i < SAID_COUNT; i++)
        if (record->said.digests[i] && said_holds(said, record->said.digests[i]))
            return true;
    return false;
}

/* Finds the last record that the source sent under one of this record's ids, before the source
 * corrected the identifying values. */
static void find_outdated(void *context, const struct known_row *row)
{
    struct new_values *new_values = context;
    struct matching_record *record = new_values->record;
    if (!text_equals(row->source, record->source) || !has_id_of(record, row->said))
        return;
    new_values->has_outdated = true;
    new_values->outdated = row->key;
    record->said_before = (struct text){
        arena_copy(new_values->arena, row->said.bytes, row->said.length), row->said.length};
}

static enum store_result list_known(const struct new_values *new_values, known_visitor *visit,
                                    void *context)
{
    return store_list_known(new_values->transaction->store, new_values->member_id,
                            new_values->record->qso_id, visit, context);
}

/* Finds the new values. A value that another source has sent is not new, because programs pass
 * values on, and the same program can be several sources. Values that this source has sent in other
 * records do not count. */
enum store_result new_values_find(struct new_values *new_values, bool is_one_program)
{
    const struct matching_record *record = new_values->record;
    struct digests digests = {0};
    const bool is_stored = record->state == MATCHING_STORED;
    enum store_result result = STORE_DONE;
    if (is_stored && !record->said_before.bytes && record->mapped.id_count > 0)
        result = list_known(new_values, find_outdated, new_values);
    if (record->said_before.bytes)
        digests.except = record->source;
    new_values->found.may_say_less = record->said_before.bytes && is_one_program;
    if (is_stored)
        THEN(result, list_known(new_values, add_digests, &digests));
    find_new_among(new_values, (struct text){digests.all.bytes, digests.all.length});
    buffer_free(&digests.all);
    return result;
}

/* Returns whether the value is ignored (said_ignored): the stored digest marks the value, or the
 * source may only fill empty values and the merged QSO has another value. */
static bool is_ignored(const struct new_values *new_values, const struct merging *merging,
                       const struct qso *merged, bool has_leftovers, size_t which)
{
    if (said_holds(new_values->record->said_before,
                   said_ignored(new_values->record->said.digests[which])))
        return true;
    if (!merging->stored || merging->way != MERGE_FILL || !new_values->found.is_new[which])
        return false;
    if (which < FIELD_COUNT)
        return merge_keeps_another(merging, merged, (enum field_index)which);
    if (which >= SAID_LEFTOVERS)
        return which == SAID_LEFTOVERS && !has_leftovers;
    const size_t part = which - SAID_NOTES;
    return !text_equals(notes_of_qso(merged).parts[part], merging->record->notes.parts[part]);
}

void new_values_mark_ignored(struct new_values *new_values, const struct merging *merging,
                             const struct qso *merged, bool has_leftovers)
{
    uint32_t *digests = new_values->record->said.digests;
    for (size_t i = 0; i < SAID_COUNT; i++)
        if (digests[i] && is_ignored(new_values, merging, merged, has_leftovers, i))
            digests[i] = said_ignored(digests[i]);
}

bool new_values_is_remembered(const struct matching_record *record)
{
    if (record->is_own)
        return true;
    if (!record->said_before.bytes)
        return false;
    for (size_t i = 0; i < SAID_COUNT; i++)
        if (record->said.digests[i] && !said_was_sent(record->said_before, record->said.digests[i]))
            return false;
    return true;
}

/* Rows of other sources whose digests change. */
struct withdrawal {
    const struct new_values *new_values;
    struct known_row *rows;
    size_t count, capacity;
};

static void add_withdrawn(void *context, const struct known_row *row)
{
    struct withdrawal *withdrawal = context;
    const struct matching_record *record = withdrawal->new_values->record;
    struct arena *arena = withdrawal->new_values->arena;
    unsigned char digests[SAID_BYTES_MAX];
    if (row->said.length > sizeof digests || text_equals(row->source, record->source) ||
        !has_id_of(record, row->said) ||
        !said_withdraw(row->said, record->said_before, &record->said, digests))
        return;
    withdrawal->rows = arena_grow(arena, withdrawal->rows, withdrawal->count, &withdrawal->capacity,
                                  sizeof *withdrawal->rows);
    struct known_row *changed = &withdrawal->rows[withdrawal->count++];
    *changed = *row;
    changed->source.bytes = arena_copy(arena, row->source.bytes, row->source.length);
    changed->said.bytes = arena_copy(arena, (const char *)digests, row->said.length);
}

enum store_result new_values_withdraw(const struct new_values *new_values)
{
    const struct matching_record *record = new_values->record;
    struct withdrawal withdrawal = {.new_values = new_values};
    enum store_result result = STORE_DONE;
    if (new_values->has_outdated)
        result = store_forget_known(new_values->transaction, new_values->member_id,
                                    &new_values->outdated, record->source);
    if (record->said_before.bytes && record->mapped.id_count > 0)
        THEN(result, list_known(new_values, add_withdrawn, &withdrawal));
    for (size_t i = 0; i < withdrawal.count && result == STORE_DONE; i++)
        result = store_write_known(new_values->transaction, new_values->member_id, record->qso_id,
                                   false, &withdrawal.rows[i]);
    return result;
}
