/* A QSO is kept as a hash of its values, because the only question is whether another one differs.
 */
#include "transfer/trial.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/uuid_table.h"
#include "qso/fields.h"
#include "qso/values.h"

#define KEY_BYTES 8                 /* of the hash of an id, which is shorter than the id */
#define STATE_BYTES (KEY_BYTES + 4) /* of an id and the hash of its QSO */

/* The values that a QSO has; the others of the same kind are null. */
struct kept {
    size_t count;
    struct kept_value {
        enum field_index field;
        struct value value;
    } values[];
};

struct trial {
    struct uuid_table *hashes;
    struct uuid_table *places; /* of the QSOs that are kept whole, from 1 */
    struct kept **kept;
    uint32_t count, capacity;
    struct arena arena;
};

struct trial *trial_create(void)
{
    struct trial *trial = memory_allocate(sizeof *trial);
    *trial = (struct trial){.hashes = uuid_table_create(), .places = uuid_table_create()};
    return trial;
}

void trial_free(struct trial *trial)
{
    if (!trial)
        return;
    uuid_table_free(trial->hashes);
    uuid_table_free(trial->places);
    free(trial->kept);
    arena_free(&trial->arena);
    free(trial);
}

static bool is_kept(const struct qso *qso, int field)
{
    return !(fields[field].flags & (FIELD_READ_ONLY | FIELD_WRITE_ONLY)) &&
           qso->values[field].presence == VALUE_PRESENT;
}

/* Not 0. */
static uint32_t hash_qso(const struct qso *qso)
{
    struct buffer text = {0};
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (i == FIELD_CLIENT_ID || !is_kept(qso, i))
            continue;
        buffer_append_string(&text, fields[i].name);
        buffer_append(&text, "", 1);
        values_format(&fields[i], &qso->values[i], &text);
        buffer_append(&text, "", 1);
    }
    uint64_t hash = text_hash(TEXT_HASH_START, text.bytes, text.length);
    buffer_free(&text);
    return (uint32_t)(hash >> 32 ^ hash) | 1;
}

/* The id in the tables. */
struct key {
    unsigned char bytes[UUID_BYTES];
};

static struct key key_of(const unsigned char id[UUID_BYTES])
{
    struct key key = {{0}};
    uint64_t hash = text_hash(TEXT_HASH_START, id, UUID_BYTES);
    memcpy(key.bytes, &hash, KEY_BYTES);
    return key;
}

static bool has_text(const struct value *value, enum field_kind kind)
{
    return value->length > 0 &&
           (kind == KIND_TEXT || kind == KIND_PATTERN || kind == KIND_LOCATOR || kind == KIND_UUID);
}

static struct kept *keep(struct trial *trial, const struct qso *qso)
{
    struct kept *kept =
        arena_allocate(&trial->arena, sizeof *kept + FIELD_COUNT * sizeof *kept->values);
    kept->count = 0;
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (!is_kept(qso, i))
            continue;
        struct value value = qso->values[i];
        if (has_text(&value, fields[i].kind))
            value.text = arena_copy(&trial->arena, value.text, value.length);
        kept->values[kept->count++] = (struct kept_value){(enum field_index)i, value};
    }
    return kept;
}

static void note_whole(struct trial *trial, const struct key *key, const struct qso *qso)
{
    uint32_t place = uuid_table_get(trial->places, key->bytes);
    if (!place) {
        if (trial->count == trial->capacity) {
            trial->capacity = trial->capacity ? 2 * trial->capacity : 64;
            trial->kept = memory_resize(trial->kept, trial->capacity * sizeof *trial->kept);
        }
        place = ++trial->count;
        uuid_table_put(trial->places, key->bytes, place);
    }
    trial->kept[place - 1] = keep(trial, qso);
}

void trial_note(struct trial *trial, const unsigned char id[UUID_BYTES], const struct qso *qso,
                bool whole)
{
    struct key key = key_of(id);
    uuid_table_put(trial->hashes, key.bytes, hash_qso(qso));
    if (whole)
        note_whole(trial, &key, qso);
}

bool trial_holds(const struct trial *trial, const unsigned char id[UUID_BYTES])
{
    return uuid_table_get(trial->hashes, key_of(id).bytes) != 0;
}

bool trial_differs(const struct trial *trial, const unsigned char id[UUID_BYTES],
                   const struct qso *qso)
{
    return uuid_table_get(trial->hashes, key_of(id).bytes) != hash_qso(qso);
}

bool trial_find(const struct trial *trial, const unsigned char id[UUID_BYTES], struct qso *out)
{
    uint32_t place = uuid_table_get(trial->places, key_of(id).bytes);
    if (!place)
        return false;
    const struct kept *kept = trial->kept[place - 1];
    for (int i = 0; i < FIELD_COUNT; i++)
        out->values[i] = (struct value){.presence = VALUE_NULL};
    for (size_t i = 0; i < kept->count; i++)
        out->values[kept->values[i].field] = kept->values[i].value;
    return true;
}

static void append_hash(void *context, const unsigned char key[UUID_BYTES], uint32_t hash)
{
    unsigned char bytes[STATE_BYTES];
    memcpy(bytes, key, KEY_BYTES);
    memcpy(bytes + KEY_BYTES, &hash, sizeof hash);
    buffer_append_hex(context, bytes, sizeof bytes);
}

void trial_append_state(const struct trial *trial, struct buffer *out)
{
    uuid_table_list(trial->hashes, append_hash, out);
}

bool trial_restore(struct trial *trial, struct text state)
{
    unsigned char bytes[STATE_BYTES];
    struct key key = {{0}};
    uint32_t hash;
    if (state.length % (2 * STATE_BYTES) != 0)
        return false;
    for (size_t i = 0; i < state.length; i += 2 * STATE_BYTES) {
        if (!text_parse_hex((struct text){state.bytes + i, 2 * STATE_BYTES}, bytes))
            return false;
        memcpy(key.bytes, bytes, KEY_BYTES);
        memcpy(&hash, bytes + KEY_BYTES, sizeof hash);
        uuid_table_put(trial->hashes, key.bytes, hash | 1);
    }
    return true;
}
