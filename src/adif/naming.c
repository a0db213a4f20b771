/* Makes the clientId of a record that has none. It is made of what programs agree on: if one
 * operator keeps a log in two programs, the seconds and often the modes differ, but the minute is
 * nearly always the same. The member's secret, which is in it, is kept by the store. */
#include "adif/naming.h"

#include <string.h>

#include "base/datetime.h"
#include "base/format.h"
#include "base/uuid.h"
#include "qso/fields.h"
#include "qso/match.h"

#define MINUTE_LENGTH 16 /* YYYY-MM-DDThh:mm */
#define STATE_BYTES 8    /* of an id */
#define VERSION_NAMED 5  /* RFC 9562: by SHA-1 in a namespace */
#define VERSION_SECRET 8 /* by a rule of our own, the same in a secret one */

/* uuid5(NAMESPACE_URL, "https://qsosync.invalid/adif") */
static const unsigned char public_namespace[UUID_BYTES] = {
    0xf3, 0x65, 0x28, 0x46, 0x05, 0xaf, 0x5c, 0x50, 0x86, 0x4e, 0x86, 0x47, 0x64, 0xfc, 0x5a, 0x9a};

/* How often each name without its ordinal was met is counted by half of that name's UUID: enough to
 * distinguish names, and it keeps states short. */
void naming_begin(struct naming *naming, struct arena *arena)
{
    table_begin(&naming->counts, arena, sizeof(uint32_t));
}

static uint32_t count_id(struct naming *naming, const unsigned char *id)
{
    uint32_t *count = table_at(&naming->counts, (struct text){(const char *)id, STATE_BYTES});
    return ++*count;
}

static void append_number(struct naming_name *name, uint32_t number)
{
    name->length += format_cut(name->bytes + name->length, sizeof name->bytes - name->length, "|%u",
                               (unsigned)number);
}

static void make_id(const struct naming_name *name, const unsigned char space[UUID_BYTES],
                    unsigned char out[UUID_BYTES])
{
    uuid_make_named(space, (struct text){name->bytes, name->length}, out);
}

void naming_next(struct naming *naming, const struct qso *qso, struct text member,
                 struct naming_name *out)
{
    char iso[DATETIME_TEXT_LENGTH];
    unsigned char id[UUID_BYTES];
    struct match_callsign station, worked;
    match_normalise_callsign(match_station(qso, member), &station);
    match_normalise_callsign(qso_text(qso, FIELD_CALLSIGN_WORKED), &worked);
    datetime_format(qso->values[FIELD_QSO_AT].integer, iso);
    out->length =
        format_cut(out->bytes, sizeof out->bytes, "%.*s|%.*s|%s|%.*s", (int)station.length,
                   station.bytes, (int)worked.length, worked.bytes,
                   fields[FIELD_BAND].choices[qso->values[FIELD_BAND].integer], MINUTE_LENGTH, iso);
    out->contact_length = out->length;
    make_id(out, public_namespace, id);
    out->ordinal = count_id(naming, id);
    append_number(out, out->ordinal);
}

void naming_make_id(const struct naming_name *name, const unsigned char secret[UUID_BYTES],
                    unsigned attempt, unsigned char out[UUID_BYTES])
{
    struct naming_name longer = *name;
    if (attempt > 0)
        append_number(&longer, attempt);
    make_id(&longer, secret, out);
    out[6] = (unsigned char)((out[6] & 0x0f) | VERSION_SECRET << 4);
}

void naming_make_public_ids(const struct naming_name *name, struct text member,
                            unsigned char out[NAMING_PUBLIC_COUNT][UUID_BYTES])
{
    struct naming_name longer = *name;
    struct match_callsign callsign;
    make_id(&longer, public_namespace, out[0]);
    match_normalise_callsign(member, &callsign);
    longer.length += format_cut(longer.bytes + longer.length, sizeof longer.bytes - longer.length,
                                "|%.*s", (int)callsign.length, callsign.bytes);
    make_id(&longer, public_namespace, out[1]);
}

void naming_make_contact_ids(const struct naming_name *name, struct text member,
                             unsigned char out[NAMING_PUBLIC_OF_CONTACT][UUID_BYTES])
{
    for (uint32_t i = 0; i < NAMING_ORDINALS_MAX; i++) {
        struct naming_name other = *name;
        other.length = other.contact_length;
        append_number(&other, i + 1);
        naming_make_public_ids(&other, member, out + (size_t)i * NAMING_PUBLIC_COUNT);
    }
}

/* No name occurs twice, so only an id that was made of another name than its record's own can. */
bool naming_may_recur(const struct naming_name *name, struct text member,
                      const unsigned char secret[UUID_BYTES], const unsigned char id[UUID_BYTES])
{
    unsigned char made[UUID_BYTES], made_public[NAMING_PUBLIC_COUNT][UUID_BYTES];
    const int version = id[6] >> 4;
    if (version != VERSION_NAMED && version != VERSION_SECRET)
        return false;
    naming_make_id(name, secret, 0, made);
    naming_make_public_ids(name, member, made_public);
    bool is_own = memcmp(made, id, UUID_BYTES) == 0;
    for (size_t i = 0; i < NAMING_PUBLIC_COUNT; i++)
        is_own = is_own || memcmp(made_public[i], id, UUID_BYTES) == 0;
    return !is_own;
}

/* Each id as often as it was counted: nearly always once. */
void naming_append_state(const struct naming *naming, struct buffer *out)
{
    for (const struct table_entry *at = naming->counts.first; at; at = at->next)
        for (uint32_t n = 0; n < *(const uint32_t *)at->value; n++)
            buffer_append_hex(out, at->key.bytes, STATE_BYTES);
}

bool naming_restore(struct naming *naming, struct text state)
{
    unsigned char id[STATE_BYTES];
    for (size_t i = 0; i + 2 * STATE_BYTES <= state.length; i += 2 * STATE_BYTES) {
        if (!text_parse_hex((struct text){state.bytes + i, 2 * STATE_BYTES}, id))
            return false;
        count_id(naming, id);
    }
    return state.length % (2 * STATE_BYTES) == 0;
}
