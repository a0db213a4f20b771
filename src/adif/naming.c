/* The name is made of what programs agree on: of one operator's log in two programs hardly any
 * second and not every mode is the same, but nearly every minute is. */
#include "adif/naming.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/datetime.h"
#include "qso/fields.h"
#include "qso/match.h"

#define MINUTE_LENGTH 16 /* YYYY-MM-DDThh:mm */

/* uuid5(NAMESPACE_URL, "https://qsosync.invalid/adif") */
static const unsigned char namespace[UUID_BYTES] = {0xf3, 0x65, 0x28, 0x46, 0x05, 0xaf, 0x5c, 0x50,
                                                    0x86, 0x4e, 0x86, 0x47, 0x64, 0xfc, 0x5a, 0x9a};

/* One count for each name without its ordinal, found by that name's UUID. */
struct count {
    unsigned char id[UUID_BYTES];
    uint32_t count; /* 0: the place is free */
};

struct naming {
    struct count *counts;
    size_t capacity; /* a power of two */
    size_t used;
};

struct naming *naming_create(void)
{
    struct naming *naming = memory_allocate(sizeof *naming);
    *naming = (struct naming){.capacity = 1024};
    naming->counts = memory_allocate(naming->capacity * sizeof *naming->counts);
    memset(naming->counts, 0, naming->capacity * sizeof *naming->counts);
    return naming;
}

void naming_free(struct naming *naming)
{
    if (naming)
        free(naming->counts);
    free(naming);
}

static struct count *find(const struct naming *naming, const unsigned char id[UUID_BYTES])
{
    size_t place;
    memcpy(&place, id, sizeof place);
    for (;; place++) {
        struct count *count = &naming->counts[place & (naming->capacity - 1)];
        if (count->count == 0 || memcmp(count->id, id, UUID_BYTES) == 0)
            return count;
    }
}

static void grow(struct naming *naming)
{
    struct naming larger = {.capacity = 2 * naming->capacity, .used = naming->used};
    larger.counts = memory_allocate(larger.capacity * sizeof *larger.counts);
    memset(larger.counts, 0, larger.capacity * sizeof *larger.counts);
    for (size_t i = 0; i < naming->capacity; i++)
        if (naming->counts[i].count)
            *find(&larger, naming->counts[i].id) = naming->counts[i];
    free(naming->counts);
    *naming = larger;
}

uint32_t naming_count(struct naming *naming, const unsigned char id[UUID_BYTES])
{
    if (4 * naming->used >= 3 * naming->capacity)
        grow(naming);
    struct count *count = find(naming, id);
    naming->used += count->count == 0;
    memcpy(count->id, id, UUID_BYTES);
    return ++count->count;
}

static void append(struct naming_name *name, const char *bytes, size_t length)
{
    memcpy(name->bytes + name->length, bytes, length);
    name->length += length;
}

static void append_callsign(struct naming_name *name, struct text text)
{
    struct match_callsign callsign;
    match_normalise_callsign(text, &callsign);
    append(name, callsign.bytes, callsign.length);
}

void naming_next(struct naming *naming, const struct qso *qso, struct text member,
                 struct naming_name *out)
{
    char iso[DATETIME_TEXT_LENGTH], ordinal[16];
    unsigned char id[UUID_BYTES];
    const char *band = fields[FIELD_BAND].choices[qso->values[FIELD_BAND].integer];
    out->length = 0;
    append_callsign(out, match_station(qso, member));
    append(out, "|", 1);
    append_callsign(out, qso_text(qso, FIELD_CALLSIGN_WORKED));
    append(out, "|", 1);
    append(out, band, strlen(band));
    append(out, "|", 1);
    datetime_format(qso->values[FIELD_QSO_AT].integer, iso);
    append(out, iso, MINUTE_LENGTH);
    naming_make_id(out, id);
    int length = snprintf(ordinal, sizeof ordinal, "|%u", (unsigned)naming_count(naming, id));
    append(out, ordinal, (size_t)length);
}

void naming_make_id(const struct naming_name *name, unsigned char out[UUID_BYTES])
{
    uuid_make_named(namespace, (struct text){name->bytes, name->length}, out);
}

void naming_make_member_id(const struct naming_name *name, struct text member,
                           unsigned char out[UUID_BYTES])
{
    struct naming_name longer = *name;
    append(&longer, "|", 1);
    append_callsign(&longer, member);
    naming_make_id(&longer, out);
}

/* Each id as often as it was counted: nearly always once. */
void naming_append_state(const struct naming *naming, struct buffer *out)
{
    for (size_t i = 0; i < naming->capacity; i++)
        for (uint32_t n = 0; n < naming->counts[i].count; n++)
            buffer_append_hex(out, naming->counts[i].id, UUID_BYTES);
}

bool naming_restore(struct naming *naming, struct text state)
{
    unsigned char id[UUID_BYTES];
    for (size_t i = 0; i + 2 * UUID_BYTES <= state.length; i += 2 * UUID_BYTES) {
        if (!text_parse_hex((struct text){state.bytes + i, 2 * UUID_BYTES}, id))
            return false;
        naming_count(naming, id);
    }
    return state.length % (2 * UUID_BYTES) == 0;
}
