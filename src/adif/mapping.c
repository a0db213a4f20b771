/* Maps a record to a QSO and back: standard fields, our extra fields, and the fields that a QSO
 * cannot contain. */
#include "adif/mapping.h"

#include <string.h>

#include "adif/band_match.h"
#include "adif/extras.h"
#include "adif/from_fields.h"
#include "adif/leftovers.h"
#include "adif/record.h"
#include "adif/rows.h"
#include "adif/said_origin.h"
#include "adif/slots.h"
#include "adif/standard.h"
#include "adif/to_fields.h"
#include "qso/values.h"

enum mapping_outcome mapping_read(const struct record *record, const struct mapped_source *source,
                                  struct arena *arena, struct mapped *out)
{
    struct reading reading = {.source = source, .arena = arena, .out = out};
    struct band_match_fields said = {0};
    struct writing writing;
    memset(out, 0, sizeof *out);
    slots_sort(record, arena, &reading.slots);
    struct value band = extras_read_value(&reading, FIELD_BAND, false);
    struct value channel = extras_read_value(&reading, FIELD_CHANNEL, false);
    said.extra_band = band.state;
    said.extra_band_value = band.integer;
    said.extra_channel = channel.state == VALUE_PRESENT ? channel.integer : 0;
    enum mapping_outcome outcome = standard_read(&reading, &said);
    if (outcome != MAPPING_QSO)
        return outcome;
    extras_apply(&reading);
    said_read_origin(&reading);
    for (size_t i = 0; i < reading.slots.rest_count; i++)
        if (reading.slots.rest[i]->value.length > 0)
            from_fields_report(&reading, NOTICE_NO_FIELD, reading.slots.rest[i], NULL);
    standard_begin_writing(&writing, &out->qso, source->member, false, arena);
    out->leftovers = leftovers_collect(&reading, &writing.slots);
    return MAPPING_QSO;
}

/* Returns whether our extra field for a value is written. A band or channel is always written,
 * because other programs can omit FREQ and BAND. The time of the last write is omitted, because it
 * does not describe the QSO. The time of creation is needed only without a clientId. */
static bool needs_extra(const struct qso *qso, enum field_index field, const struct mapped *back)
{
    const struct value *value = &qso->values[field];
    if ((fields[field].flags & FIELD_WRITE_ONLY) || field == FIELD_SYNCED_AT ||
        (field == FIELD_CREATED_AT && qso->values[FIELD_CLIENT_ID].state == VALUE_PRESENT))
        return false;
    if (field == FIELD_BAND || field == FIELD_CHANNEL)
        return value->state == VALUE_PRESENT;
    return !values_equal(&fields[field], value, &back->qso.values[field]);
}

/* Returns whether each value in `said` equals the value in `back` or in the QSO. */
static bool says_the_same(const struct mapped *said, const struct mapped *back,
                          const struct qso *qso)
{
    for (int i = 0; i < FIELD_COUNT; i++)
        if (!values_equal(&fields[i], &said->qso.values[i], &back->qso.values[i]) &&
            !values_equal(&fields[i], &said->qso.values[i], &qso->values[i]))
            return false;
    return true;
}

static bool try_leftovers(struct writing *writing, const struct slots *leftovers, unsigned groups,
                          struct mapped *back)
{
    struct writing trial = *writing;
    struct mapped said;
    if (!groups)
        return true;
    leftovers_replace(&trial, leftovers, groups);
    if (!standard_read_again(&trial, &said) || !says_the_same(&said, back, writing->qso))
        return false;
    *writing = trial;
    *back = said;
    return true;
}

/* Restores the groups of extra fields that still match the QSO. If all groups together do not
 * match, each group is tried separately. Returns the groups that match. */
static unsigned put_leftovers(struct writing *writing, const struct slots *leftovers,
                              struct mapped *back)
{
    unsigned groups = leftovers_groups(leftovers), put = 0;
    if (try_leftovers(writing, leftovers, groups, back))
        return groups;
    for (unsigned group = 1; group && group <= groups; group <<= 1)
        if ((groups & group) && try_leftovers(writing, leftovers, group, back))
            put |= group;
    return put;
}

/* Restores the extra fields that still match the written fields. Returns the groups of the restored
 * fields. *back becomes the QSO that results from reading the fields, or a QSO without values if
 * the fields do not form a QSO. */
static unsigned restore_leftovers(struct writing *writing, const struct slots *leftovers,
                                  struct mapped *back)
{
    if (standard_read_again(writing, back))
        return put_leftovers(writing, leftovers, back);
    memset(back, 0, sizeof *back);
    return 0;
}

struct text mapping_filter_leftovers(const struct qso *qso, struct text leftovers,
                                     struct text member, struct arena *arena)
{
    struct writing writing;
    struct mapped back;
    const struct slots kept = leftovers_sort(leftovers, arena);
    standard_begin_writing(&writing, qso, member, false, arena);
    return leftovers_select(leftovers, restore_leftovers(&writing, &kept, &back), arena);
}

struct record mapping_write(const struct qso *qso, struct text leftovers,
                            const struct mapped_source *source, bool strict, struct arena *arena)
{
    struct writing writing;
    struct mapped back;
    if (strict)
        leftovers.length = 0;
    const struct slots kept = leftovers_sort(leftovers, arena);
    standard_begin_writing(&writing, qso, source->member, strict, arena);
    restore_leftovers(&writing, &kept, &back);
    for (int field = 0; field < FIELD_COUNT; field++)
        if (needs_extra(qso, (enum field_index)field, &back))
            to_fields_extra(&writing, (enum field_index)field);
    if (!writing.slots.standard[SLOT_OPERATOR])
        to_fields_operator(&writing, source->maker);
    leftovers_add_rest(&writing, &kept);
    return (struct record){.fields = writing.fields, .count = writing.count};
}
