/* Remembers what a dry run of an import would have saved, so that later records are compared with
 * it. A QSO is kept as a hash of its values, because the only question is whether another one
 * differs; only a few are kept whole. Which records are compared is left to import.c. */
#include "transfer/dry_run.h"

#include <string.h>

#include "base/arena.h"
#include "base/uuid.h"
#include "qso/fields.h"
#include "qso/values.h"

#define KEY_BYTES 8 /* of the hash of an id, which is shorter than the id */
#define STATE_BYTES (KEY_BYTES + sizeof((struct noted){0}.hashes))

/* A clientId, or an id and zeros. */
struct noted *dry_run_at(struct dry_run *dry_run, const struct qso *qso)
{
    unsigned char id[UUID_BYTES] = {0};
    if (qso->values[FIELD_CLIENT_ID].presence == VALUE_PRESENT)
        memcpy(id, qso->values[FIELD_CLIENT_ID].text, UUID_BYTES);
    else
        memcpy(id, &qso->values[FIELD_ID].integer, sizeof(int64_t));
    const uint64_t key = text_hash(TEXT_HASH_START, id, UUID_BYTES);
    _Static_assert(sizeof key == KEY_BYTES, "states are as long");
    return table_at(&dry_run->noted, (struct text){(const char *)&key, sizeof key});
}

static bool is_kept(const struct qso *qso, int field)
{
    return !(fields[field].flags & (FIELD_READ_ONLY | FIELD_WRITE_ONLY)) &&
           qso->values[field].presence == VALUE_PRESENT;
}

uint32_t dry_run_hash(struct text text)
{
    uint64_t hash = text_hash(TEXT_HASH_START, text.bytes, text.length);
    return (uint32_t)(hash >> 32 ^ hash) | 1;
}

uint32_t dry_run_hash_qso(const struct qso *qso)
{
    struct buffer text = {0};
    for (int i = 0; i < FIELD_COUNT; i++)
        if (i != FIELD_CLIENT_ID && is_kept(qso, i)) {
            buffer_append(&text, fields[i].json_key, fields[i].json_key_length);
            render_field((enum field_index)i, &qso->values[i], &text);
        }
    uint32_t hash = dry_run_hash((struct text){text.bytes, text.length});
    buffer_free(&text);
    return hash;
}

const struct qso *dry_run_copy(struct dry_run *dry_run, const struct qso *qso)
{
    struct arena *arena = dry_run->noted.arena;
    struct qso *copy = arena_allocate(arena, sizeof *copy);
    for (int i = 0; i < FIELD_COUNT; i++) {
        struct value *value = &copy->values[i];
        *value = is_kept(qso, i) ? qso->values[i] : (struct value){.presence = VALUE_NULL};
        if (value->presence == VALUE_PRESENT && fields_has_text(&fields[i]))
            value->text = arena_copy(arena, value->text, value->length);
    }
    return copy;
}

void dry_run_append_state(const struct dry_run *dry_run, struct buffer *out)
{
    for (const struct table_entry *at = dry_run->noted.first; at; at = at->next) {
        const struct noted *noted = (const struct noted *)at->value;
        if (noted->hashes.qso == 0 && noted->hashes.leftovers == 0)
            continue;
        buffer_append_hex(out, at->key.bytes, KEY_BYTES);
        buffer_append_hex(out, &noted->hashes, sizeof noted->hashes);
    }
}

bool dry_run_restore(struct dry_run *dry_run, struct text state)
{
    unsigned char bytes[STATE_BYTES];
    for (; state.length >= 2 * sizeof bytes; state = text_skip(state, 2 * sizeof bytes)) {
        if (!text_parse_hex((struct text){state.bytes, 2 * sizeof bytes}, bytes))
            return false;
        struct noted *noted =
            table_at(&dry_run->noted, (struct text){(const char *)bytes, KEY_BYTES});
        memcpy(&noted->hashes, bytes + KEY_BYTES, sizeof noted->hashes);
    }
    return state.length == 0;
}
