/* Reads, writes and makes UUIDs by libuuid, which wants texts that end with a NUL. Clients choose
 * their ids, and only compare them; what stands in a name is decided by whoever asks,
 * src/adif/naming.c for records without an id. */
#include "base/uuid.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <uuid/uuid.h>

#include "base/arena.h"
#include "base/keyed_hash.h"

bool uuid_parse_text(struct text text, unsigned char out[UUID_BYTES])
{
    char string[UUID_TEXT_LENGTH + 1];
    uuid_t uuid;
    if (text.length != UUID_TEXT_LENGTH)
        return false;
    memcpy(string, text.bytes, UUID_TEXT_LENGTH);
    string[UUID_TEXT_LENGTH] = '\0';
    if (uuid_parse(string, uuid) != 0)
        return false;
    memcpy(out, uuid, UUID_BYTES);
    return true;
}

void uuid_format_text(const unsigned char uuid[UUID_BYTES], char *out)
{
    uuid_unparse_lower(uuid, out);
}

void uuid_make_named(const unsigned char namespace[UUID_BYTES], struct text name,
                     unsigned char out[UUID_BYTES])
{
    uuid_t made;
    uuid_generate_sha1(made, namespace, name.bytes, name.length);
    memcpy(out, made, UUID_BYTES);
}

/* A hash table with open addressing, from UUIDs to numbers, for work that meets very many of them,
 * such as an import. Clients choose their UUIDs, so the hash has a key (keyed_hash.c). The table
 * only grows; what its numbers mean is the caller's. */

struct entry {
    unsigned char uuid[UUID_BYTES];
    uint32_t number; /* 0: the entry is free */
};

struct uuid_table {
    struct keyed_hash hash;
    struct entry *entries;
    size_t capacity; /* a power of two */
    size_t used;
};

static void allocate(struct uuid_table *table, size_t capacity)
{
    table->capacity = capacity;
    table->entries = memory_allocate(capacity * sizeof *table->entries);
    memset(table->entries, 0, capacity * sizeof *table->entries);
}

struct uuid_table *uuid_table_create(void)
{
    struct uuid_table *table = memory_allocate(sizeof *table);
    table->hash = keyed_hash_begin();
    table->used = 0;
    allocate(table, 1024);
    return table;
}

void uuid_table_free(struct uuid_table *table)
{
    if (table)
        free(table->entries);
    free(table);
}

static struct entry *find(const struct uuid_table *table, const unsigned char uuid[UUID_BYTES])
{
    for (size_t i = (size_t)keyed_hash_of(&table->hash, uuid, UUID_BYTES);; i++) {
        struct entry *entry = &table->entries[i & (table->capacity - 1)];
        if (entry->number == 0 || memcmp(entry->uuid, uuid, UUID_BYTES) == 0)
            return entry;
    }
}

static void grow(struct uuid_table *table)
{
    struct uuid_table smaller = *table;
    allocate(table, 2 * smaller.capacity);
    for (size_t i = 0; i < smaller.capacity; i++)
        if (smaller.entries[i].number)
            *find(table, smaller.entries[i].uuid) = smaller.entries[i];
    free(smaller.entries);
}

uint32_t uuid_table_get(const struct uuid_table *table, const unsigned char uuid[UUID_BYTES])
{
    return find(table, uuid)->number;
}

void uuid_table_put(struct uuid_table *table, const unsigned char uuid[UUID_BYTES], uint32_t number)
{
    assert(number);
    if (4 * table->used >= 3 * table->capacity)
        grow(table);
    struct entry *entry = find(table, uuid);
    table->used += entry->number == 0;
    memcpy(entry->uuid, uuid, UUID_BYTES);
    entry->number = number;
}

void uuid_table_list(const struct uuid_table *table,
                     void (*visit)(void *context, const unsigned char uuid[UUID_BYTES],
                                   uint32_t number),
                     void *context)
{
    for (size_t i = 0; i < table->capacity; i++)
        if (table->entries[i].number)
            visit(context, table->entries[i].uuid, table->entries[i].number);
}
