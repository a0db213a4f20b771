/* Computes digests. A digest is a hash of a field's name and value, so stored digests stay valid if
 * fields are added or moved. src/transfer/matching.c finds the QSO for a record, and
 * src/transfer/new_values.c finds the values that are new. */
#include "adif/said.h"

#include <string.h>

#include "adif/notes.h"
#include "adif/rows.h"
#include "base/text.h"
#include "base/text_hash.h"
#include "qso/content.h"
#include "qso/fields.h"
#include "qso/match.h"
#include "qso/match_callsign.h"
#include "qso/qso.h"

static uint64_t hash_text(uint64_t hash, struct text text)
{
    const unsigned char end = 0;
    return text_hash(text_hash(hash, text.bytes, text.length), &end, 1);
}

/* Hashes an integer. The result is the same on every machine. */
static uint64_t hash_integer(uint64_t hash, int64_t integer)
{
    unsigned char bytes[8];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)((uint64_t)integer >> (8 * i));
    return text_hash(hash, bytes, sizeof bytes);
}

int64_t said_mark(const struct mapped *record, const struct contact *contact)
{
    uint64_t hash = hash_text(TEXT_HASH_START, match_text(&contact->station));
    hash = hash_text(hash, match_text(&contact->worked));
    const struct text none = {0};
    hash = hash_text(hash, contact->worked.length > 0 ? none : contact->name);
    hash = hash_integer(hash, contact->band);
    hash = hash_integer(hash, contact->frequency_khz);
    hash = hash_integer(hash, contact->channel);
    hash = hash_integer(hash, qso_integer_or(&record->qso, FIELD_MODE, MATCH_NO_MODE));
    hash = hash_integer(hash, contact->is_heard);
    return (int64_t)((hash ^ hash >> 48) & ((UINT64_C(1) << 48) - 1));
}

static uint32_t fold(uint64_t hash)
{
    const uint32_t folded = (uint32_t)(hash >> 32 ^ hash);
    return folded ? folded : 1;
}

static uint32_t digest_text(const char *name, struct text text)
{
    return fold(hash_text(hash_text(TEXT_HASH_START, text_of(name)), text));
}

static uint32_t digest_value(const struct field *field, const struct value *value)
{
    int64_t integer = value->integer;
    if (fields_has_text(field))
        return digest_text(field->column, (struct text){value->text, value->length});
    if (field->kind == KIND_REAL)
        memcpy(&integer, &value->real, sizeof integer);
    return fold(hash_integer(hash_text(TEXT_HASH_START, text_of(field->column)), integer));
}

void said_read(const struct mapped *record, struct said *out)
{
    static const char *const parts[NOTES_PART_COUNT] = {"name", "qth", "mode name", "body"};
    memset(out, 0, sizeof *out);
    for (int i = 0; i < FIELD_COUNT; i++) {
        const struct value *value = &record->qso.values[i];
        if (content_has(&fields[i]) && i != FIELD_CLIENT_ID && i != FIELD_NOTES &&
            value->state == VALUE_PRESENT)
            out->digests[i] = digest_value(&fields[i], value);
    }
    for (int part = 0; part < NOTES_PART_COUNT && !record->whole_notes; part++)
        if (record->notes.parts[part].bytes)
            out->digests[SAID_NOTES + part] = digest_text(parts[part], record->notes.parts[part]);
    if (record->whole_notes && record->qso.values[FIELD_NOTES].state == VALUE_PRESENT)
        out->digests[SAID_NOTES + NOTES_BODY] =
            digest_text("notes", qso_text(&record->qso, FIELD_NOTES));
    if (record->leftovers.length > 0)
        out->digests[SAID_LEFTOVERS] = digest_text("leftovers", record->leftovers);
    for (size_t i = 0; i < record->id_count; i++)
        out->digests[(size_t)SAID_IDS + i] =
            fold(hash_text(hash_text(TEXT_HASH_START, record->ids[i].program), record->ids[i].id));
}

static void write_digest(uint32_t digest, unsigned char out[SAID_DIGEST_BYTES])
{
    for (int byte = 0; byte < SAID_DIGEST_BYTES; byte++)
        out[byte] = (unsigned char)(digest >> (8 * byte));
}

static uint32_t read_digest(struct text stored, size_t at)
{
    uint32_t digest = 0;
    for (int byte = 0; byte < SAID_DIGEST_BYTES; byte++)
        digest |= (uint32_t)(unsigned char)stored.bytes[at + (size_t)byte] << (8 * byte);
    return digest;
}

struct text said_write(const struct said *said, unsigned char out[SAID_BYTES_MAX])
{
    size_t length = 0;
    for (size_t i = 0; i < SAID_COUNT; i++) {
        if (!said->digests[i])
            continue;
        write_digest(said->digests[i], out + length);
        length += SAID_DIGEST_BYTES;
    }
    return (struct text){(const char *)out, length};
}

bool said_holds(struct text stored, uint32_t digest)
{
    for (size_t at = 0; at + SAID_DIGEST_BYTES <= stored.length; at += SAID_DIGEST_BYTES)
        if (read_digest(stored, at) == digest)
            return true;
    return false;
}

uint32_t said_ignored(uint32_t digest)
{
    return ~digest;
}

bool said_was_sent(struct text stored, uint32_t digest)
{
    return said_holds(stored, digest) || said_holds(stored, said_ignored(digest));
}

bool said_withdraw(struct text stored, struct text before, const struct said *now,
                   unsigned char out[SAID_BYTES_MAX])
{
    unsigned char bytes[SAID_BYTES_MAX];
    const struct text said = said_write(now, bytes);
    bool is_any = false;
    for (size_t at = 0; at + SAID_DIGEST_BYTES <= stored.length; at += SAID_DIGEST_BYTES) {
        const uint32_t digest = read_digest(stored, at);
        const bool is_withdrawn = said_holds(before, digest) && !said_holds(said, digest);
        write_digest(is_withdrawn ? said_ignored(digest) : digest, out + at);
        is_any = is_any || is_withdrawn;
    }
    return is_any;
}
