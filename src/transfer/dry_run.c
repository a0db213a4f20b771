/* Remembers what a dry run of an import would have saved, so that later records are compared with
 * it. A QSO is kept as a hash of its values, because the only question is whether another one
 * differs; only a few are kept whole. Which records are compared is left to import.c. */
#include "transfer/dry_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/uuid.h"
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

struct dry_run {
    struct uuid_table *hashes;
    struct uuid_table *leftovers; /* hashes of what is kept beside QSOs */
    struct uuid_table *numbers;   /* of the QSOs that are kept whole, from 1 */
    struct kept **kept;
    uint32_t count, capacity;
    struct arena arena;
};

struct dry_run *dry_run_create(void)
{
    struct dry_run *dry_run = memory_allocate(sizeof *dry_run);
    *dry_run = (struct dry_run){.hashes = uuid_table_create(),
                                .leftovers = uuid_table_create(),
                                .numbers = uuid_table_create()};
    return dry_run;
}

void dry_run_free(struct dry_run *dry_run)
{
    if (!dry_run)
        return;
    uuid_table_free(dry_run->hashes);
    uuid_table_free(dry_run->leftovers);
    uuid_table_free(dry_run->numbers);
    free(dry_run->kept);
    arena_free(&dry_run->arena);
    free(dry_run);
}

void dry_run_find_id(const struct qso *qso, unsigned char out[UUID_BYTES])
{
    memset(out, 0, UUID_BYTES);
    if (qso->values[FIELD_CLIENT_ID].presence == VALUE_PRESENT)
        memcpy(out, qso->values[FIELD_CLIENT_ID].text, UUID_BYTES);
    else
        memcpy(out, &qso->values[FIELD_ID].integer, sizeof(int64_t));
}

static bool is_kept(const struct qso *qso, int field)
{
    return !(fields[field].flags & (FIELD_READ_ONLY | FIELD_WRITE_ONLY)) &&
           qso->values[field].presence == VALUE_PRESENT;
}

/* Not 0. */
static uint32_t hash_text(struct text text)
{
    uint64_t hash = text_hash(TEXT_HASH_START, text.bytes, text.length);
    return (uint32_t)(hash >> 32 ^ hash) | 1;
}

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
    uint32_t hash = hash_text((struct text){text.bytes, text.length});
    buffer_free(&text);
    return hash;
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

static struct kept *copy_qso(struct dry_run *dry_run, const struct qso *qso)
{
    struct kept *kept =
        arena_allocate(&dry_run->arena, sizeof *kept + FIELD_COUNT * sizeof *kept->values);
    kept->count = 0;
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (!is_kept(qso, i))
            continue;
        struct value value = qso->values[i];
        if (has_text(&value, fields[i].kind))
            value.text = arena_copy(&dry_run->arena, value.text, value.length);
        kept->values[kept->count++] = (struct kept_value){(enum field_index)i, value};
    }
    return kept;
}

static void note_whole(struct dry_run *dry_run, const struct key *key, const struct qso *qso)
{
    uint32_t number = uuid_table_get(dry_run->numbers, key->bytes);
    if (!number) {
        if (dry_run->count == dry_run->capacity) {
            dry_run->capacity = dry_run->capacity ? 2 * dry_run->capacity : 64;
            dry_run->kept = memory_resize(dry_run->kept, dry_run->capacity * sizeof *dry_run->kept);
        }
        number = ++dry_run->count;
        uuid_table_put(dry_run->numbers, key->bytes, number);
    }
    dry_run->kept[number - 1] = copy_qso(dry_run, qso);
}

void dry_run_note(struct dry_run *dry_run, const unsigned char id[UUID_BYTES],
                  const struct qso *qso, bool whole)
{
    struct key key = key_of(id);
    uuid_table_put(dry_run->hashes, key.bytes, hash_qso(qso));
    if (whole)
        note_whole(dry_run, &key, qso);
}

bool dry_run_has(const struct dry_run *dry_run, const unsigned char id[UUID_BYTES])
{
    return uuid_table_get(dry_run->hashes, key_of(id).bytes) != 0;
}

bool dry_run_differs(const struct dry_run *dry_run, const unsigned char id[UUID_BYTES],
                     const struct qso *qso)
{
    return uuid_table_get(dry_run->hashes, key_of(id).bytes) != hash_qso(qso);
}

bool dry_run_find(const struct dry_run *dry_run, const unsigned char id[UUID_BYTES],
                  struct qso *out)
{
    uint32_t number = uuid_table_get(dry_run->numbers, key_of(id).bytes);
    if (!number)
        return false;
    const struct kept *kept = dry_run->kept[number - 1];
    for (int i = 0; i < FIELD_COUNT; i++)
        out->values[i] = (struct value){.presence = VALUE_NULL};
    for (size_t i = 0; i < kept->count; i++)
        out->values[kept->values[i].field] = kept->values[i].value;
    return true;
}

void dry_run_note_leftovers(struct dry_run *dry_run, const unsigned char id[UUID_BYTES],
                            struct text leftovers)
{
    uuid_table_put(dry_run->leftovers, key_of(id).bytes, hash_text(leftovers));
}

bool dry_run_has_leftovers(const struct dry_run *dry_run, const unsigned char id[UUID_BYTES])
{
    return uuid_table_get(dry_run->leftovers, key_of(id).bytes) != 0;
}

bool dry_run_leftovers_are(const struct dry_run *dry_run, const unsigned char id[UUID_BYTES],
                           struct text leftovers)
{
    return uuid_table_get(dry_run->leftovers, key_of(id).bytes) == hash_text(leftovers);
}

static void append_hash(void *context, const unsigned char key[UUID_BYTES], uint32_t hash)
{
    unsigned char bytes[STATE_BYTES];
    memcpy(bytes, key, KEY_BYTES);
    memcpy(bytes + KEY_BYTES, &hash, sizeof hash);
    buffer_append_hex(context, bytes, sizeof bytes);
}

void dry_run_append_state(const struct dry_run *dry_run, struct buffer *out)
{
    uuid_table_list(dry_run->hashes, append_hash, out);
    buffer_append_string(out, ":");
    uuid_table_list(dry_run->leftovers, append_hash, out);
}

static bool restore(struct uuid_table *table, struct text state)
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
        uuid_table_put(table, key.bytes, hash | 1);
    }
    return true;
}

bool dry_run_restore(struct dry_run *dry_run, struct text state)
{
    const char *colon = memchr(state.bytes, ':', state.length);
    if (!colon)
        return state.length == 0;
    struct text hashes = {state.bytes, (size_t)(colon - state.bytes)};
    struct text leftovers = {colon + 1, state.length - hashes.length - 1};
    return restore(dry_run->hashes, hashes) && restore(dry_run->leftovers, leftovers);
}
