/* The name is made of what programs agree on: where one operator keeps a log in two programs, the
 * seconds and often the modes differ, but the minute is nearly always the same. */
#include "adif/naming.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/datetime.h"
#include "base/uuid_named.h"
#include "base/uuid_table.h"
#include "qso/fields.h"
#include "qso/match.h"

#define MINUTE_LENGTH 16 /* YYYY-MM-DDThh:mm */
#define STATE_BYTES 8    /* of an id */

/* uuid5(NAMESPACE_URL, "https://qsosync.invalid/adif") */
static const unsigned char namespace[UUID_BYTES] = {0xf3, 0x65, 0x28, 0x46, 0x05, 0xaf, 0x5c, 0x50,
                                                    0x86, 0x4e, 0x86, 0x47, 0x64, 0xfc, 0x5a, 0x9a};

/* How often each name without its ordinal was met, by that name's UUID. */
struct naming {
    struct uuid_table *counts;
};

struct naming *naming_create(void)
{
    struct naming *naming = memory_allocate(sizeof *naming);
    naming->counts = uuid_table_create();
    return naming;
}

void naming_free(struct naming *naming)
{
    if (naming)
        uuid_table_free(naming->counts);
    free(naming);
}

/* Half of the UUID is enough to distinguish names, and keeps states short. */
static uint32_t count_id(struct naming *naming, const unsigned char id[UUID_BYTES])
{
    unsigned char key[UUID_BYTES] = {0};
    memcpy(key, id, STATE_BYTES);
    uint32_t count = uuid_table_get(naming->counts, key) + 1;
    uuid_table_put(naming->counts, key, count);
    return count;
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
    int length = snprintf(ordinal, sizeof ordinal, "|%u", (unsigned)count_id(naming, id));
    append(out, ordinal, (size_t)length);
}

void naming_make_id(const struct naming_name *name, unsigned char out[UUID_BYTES])
{
    uuid_named_make(namespace, (struct text){name->bytes, name->length}, out);
}

void naming_make_member_id(const struct naming_name *name, struct text member,
                           unsigned char out[UUID_BYTES])
{
    struct naming_name longer = *name;
    append(&longer, "|", 1);
    append_callsign(&longer, member);
    naming_make_id(&longer, out);
}

/* No name occurs twice, so only an id that was made of another name than its record's own can. */
bool naming_may_recur(const struct naming_name *name, struct text member,
                      const unsigned char id[UUID_BYTES])
{
    unsigned char made[UUID_BYTES];
    if (id[6] >> 4 != 5)
        return false;
    naming_make_id(name, made);
    if (memcmp(made, id, UUID_BYTES) == 0)
        return false;
    naming_make_member_id(name, member, made);
    return memcmp(made, id, UUID_BYTES) != 0;
}

/* Each id as often as it was counted: nearly always once. */
static void append_id(void *context, const unsigned char id[UUID_BYTES], uint32_t count)
{
    for (uint32_t n = 0; n < count; n++)
        buffer_append_hex(context, id, STATE_BYTES);
}

void naming_append_state(const struct naming *naming, struct buffer *out)
{
    uuid_table_list(naming->counts, append_id, out);
}

bool naming_restore(struct naming *naming, struct text state)
{
    unsigned char id[UUID_BYTES];
    for (size_t i = 0; i + 2 * STATE_BYTES <= state.length; i += 2 * STATE_BYTES) {
        if (!text_parse_hex((struct text){state.bytes + i, 2 * STATE_BYTES}, id))
            return false;
        count_id(naming, id);
    }
    return state.length % (2 * STATE_BYTES) == 0;
}
