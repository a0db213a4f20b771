/* Remembers what a dry run of an import would have saved, so that later records are compared with
 * it. A QSO is kept as a hash of its values, because the only question is whether another one
 * differs; only a few are kept whole. Which records are compared is left to import.c. */
#include "transfer/dry_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/table.h"
#include "base/uuid.h"
#include "qso/fields.h"
#include "qso/values.h"

#define KEY_BYTES 8                 /* of the hash of an id, which is shorter than the id */
#define STATE_BYTES (KEY_BYTES + 4) /* of an id and a hash */

/* What was noted under an id; 0, NULL: nothing. */
struct noted {
    uint32_t hash, leftovers; /* hashes of the QSO and of what is kept beside it */
    const struct qso *whole;  /* of a QSO that is kept */
};

struct dry_run {
    struct arena arena;
    struct table noted;
};

struct dry_run *dry_run_create(void)
{
    struct dry_run *dry_run = memory_allocate(sizeof *dry_run);
    dry_run->arena = (struct arena){0};
    table_begin(&dry_run->noted, &dry_run->arena, sizeof(struct noted));
    return dry_run;
}

void dry_run_free(struct dry_run *dry_run)
{
    if (dry_run)
        arena_free(&dry_run->arena);
    free(dry_run);
}

static struct noted *noted(struct dry_run *dry_run, const unsigned char id[UUID_BYTES])
{
    const uint64_t key = text_hash(TEXT_HASH_START, id, UUID_BYTES);
    _Static_assert(sizeof key == KEY_BYTES, "states are as long");
    return table_at(&dry_run->noted, (struct text){(const char *)&key, sizeof key});
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

static bool has_text(const struct value *value, enum field_kind kind)
{
    return value->length > 0 &&
           (kind == KIND_TEXT || kind == KIND_PATTERN || kind == KIND_LOCATOR || kind == KIND_UUID);
}

static const struct qso *copy_qso(struct dry_run *dry_run, const struct qso *qso)
{
    struct qso *copy = arena_allocate(&dry_run->arena, sizeof *copy);
    for (int i = 0; i < FIELD_COUNT; i++) {
        struct value *value = &copy->values[i];
        *value = is_kept(qso, i) ? qso->values[i] : (struct value){.presence = VALUE_NULL};
        if (has_text(value, fields[i].kind))
            value->text = arena_copy(&dry_run->arena, value->text, value->length);
    }
    return copy;
}

void dry_run_note(struct dry_run *dry_run, const unsigned char id[UUID_BYTES],
                  const struct qso *qso, bool whole)
{
    noted(dry_run, id)->hash = hash_qso(qso);
    if (whole)
        noted(dry_run, id)->whole = copy_qso(dry_run, qso);
}

bool dry_run_has(struct dry_run *dry_run, const unsigned char id[UUID_BYTES])
{
    return noted(dry_run, id)->hash != 0;
}

bool dry_run_differs(struct dry_run *dry_run, const unsigned char id[UUID_BYTES],
                     const struct qso *qso)
{
    return noted(dry_run, id)->hash != hash_qso(qso);
}

const struct qso *dry_run_find(struct dry_run *dry_run, const unsigned char id[UUID_BYTES])
{
    return noted(dry_run, id)->whole;
}

void dry_run_note_leftovers(struct dry_run *dry_run, const unsigned char id[UUID_BYTES],
                            struct text leftovers)
{
    noted(dry_run, id)->leftovers = hash_text(leftovers);
}

bool dry_run_has_leftovers(struct dry_run *dry_run, const unsigned char id[UUID_BYTES])
{
    return noted(dry_run, id)->leftovers != 0;
}

bool dry_run_leftovers_are(struct dry_run *dry_run, const unsigned char id[UUID_BYTES],
                           struct text leftovers)
{
    return noted(dry_run, id)->leftovers == hash_text(leftovers);
}

/* The place of one of the two hashes. */
static uint32_t *hash_of(void *noted, bool of_leftovers)
{
    struct noted *found = noted;
    return of_leftovers ? &found->leftovers : &found->hash;
}

void dry_run_append_state(const struct dry_run *dry_run, struct buffer *out)
{
    for (int part = 0; part < 2; part++) {
        buffer_append_string(out, part ? ":" : "");
        for (struct table_entry *at = dry_run->noted.first; at; at = at->next) {
            const uint32_t *hash = hash_of(at->value, part);
            if (*hash == 0)
                continue;
            buffer_append_hex(out, at->key.bytes, KEY_BYTES);
            buffer_append_hex(out, hash, sizeof *hash);
        }
    }
}

bool dry_run_restore(struct dry_run *dry_run, struct text state)
{
    if (state.length > 0 && !memchr(state.bytes, ':', state.length))
        return false;
    for (int part = 0; part < 2; part++)
        for (struct text hashes = text_take_part(&state, ':'); hashes.length > 0;
             hashes = text_skip(hashes, 2 * STATE_BYTES)) {
            unsigned char bytes[STATE_BYTES];
            if (hashes.length < 2 * STATE_BYTES ||
                !text_parse_hex((struct text){hashes.bytes, 2 * STATE_BYTES}, bytes))
                return false;
            uint32_t *hash = hash_of(
                table_at(&dry_run->noted, (struct text){(const char *)bytes, KEY_BYTES}), part);
            memcpy(hash, bytes + KEY_BYTES, sizeof *hash);
            *hash |= 1;
        }
    return state.length == 0;
}
