/* The names of a record's fields are in a hash table while it is looked ahead, and the same bytes
 * are looked at a few times at most, so that the work grows with the file and not with its square.
 */
#include "adif/ahead.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "adif/lengths.h"
#include "adif/slots.h"
#include "base/arena.h"
#include "base/keyed_hash.h"

#define NAMES_MAX 1000  /* more than ADIF has */
#define TABLE_SIZE 2048 /* a power of two, more than twice as many */
#define VAIN_MAX 8      /* looks to one position */

struct ahead {
    struct keyed_hash hash;
    const struct record_field *fields;
    uint16_t table[TABLE_SIZE]; /* of fields, by the hash of their names, from 1; 0: free */
    size_t end;                 /* where a look that was in vain ended last */
    int vain;                   /* how many did */
};

struct ahead *ahead_create(void)
{
    struct ahead *ahead = memory_allocate(sizeof *ahead);
    memset(ahead, 0, sizeof *ahead);
    ahead->hash = keyed_hash_begin();
    return ahead;
}

void ahead_free(struct ahead *ahead)
{
    free(ahead);
}

static bool same_name(struct text a, struct text b)
{
    return a.length == b.length && strncasecmp(a.bytes, b.bytes, a.length) == 0;
}

/* The entry of the name, or the free one where it would be. */
static uint16_t *find(struct ahead *ahead, struct text name)
{
    char upper[TAG_NAME_MAX];
    text_to_upper(name, upper);
    size_t at = keyed_hash_of(&ahead->hash, upper, name.length) % TABLE_SIZE;
    while (ahead->table[at] && !same_name(ahead->fields[ahead->table[at] - 1].name, name))
        at = (at + 1) % TABLE_SIZE;
    return &ahead->table[at];
}

static void note_names(struct ahead *ahead, const struct record *record)
{
    ahead->fields = record->fields;
    memset(ahead->table, 0, sizeof ahead->table);
    for (size_t i = 0; i < record->count; i++)
        *find(ahead, record->fields[i].name) = (uint16_t)(i + 1);
}

static bool has_only_new_names(struct ahead *ahead, struct text name, struct text bytes, size_t at,
                               size_t end, bool finished)
{
    while (at < end) {
        struct tag tag = {.kind = TAG_NONE, .end = at + 1};
        if (bytes.bytes[at] == '<')
            tag = tag_read(bytes, at, finished);
        if (tag.kind == TAG_FIELD && (same_name(tag.name, name) || *find(ahead, tag.name)))
            return false;
        at = tag.end;
    }
    return true;
}

bool ahead_goes_on(struct ahead *ahead, const struct record *record, struct text name,
                   struct text bytes, size_t at, size_t end, bool finished)
{
    bool is_hopeless = end == ahead->end && ahead->vain >= VAIN_MAX;
    if (!slots_is_free_text_name(name) || record->count > NAMES_MAX || is_hopeless)
        return false;
    note_names(ahead, record);
    if (!*find(ahead, name) && has_only_new_names(ahead, name, bytes, at, end, finished))
        return true;
    ahead->vain = end == ahead->end ? ahead->vain + 1 : 1;
    ahead->end = end;
    return false;
}

void ahead_shift(struct ahead *ahead, size_t count)
{
    if (ahead->end < count)
        ahead->vain = 0;
    ahead->end -= ahead->end < count ? ahead->end : count;
}

/* Finds the next <EOR> or <EOH> for the reader, which asks again whenever more bytes have come. One
 * stretch without a mark is remembered, with the mark that ends it, so that the work grows with the
 * bytes and not with the questions. What a mark means is left to reader.c. */

/* The stretch begins later than asked for: it is made longer, or a mark before it is found. */
static void search_before(struct marks *known, struct text bytes, const char *mark, size_t from)
{
    size_t end = known->from + strlen(mark) - 1; /* of a mark that begins before */
    struct text part = {bytes.bytes + from, (end < bytes.length ? end : bytes.length) - from};
    size_t found = lengths_find_mark(part, mark);
    if (found < part.length)
        *known = (struct marks){from, from + found, true};
    known->from = from;
}

size_t marks_find(struct marks *known, struct text bytes, const char *mark, size_t from)
{
    if (from > known->at)
        *known = (struct marks){from, from, false};
    else if (from < known->from)
        search_before(known, bytes, mark, from);
    if (known->found)
        return known->at;
    struct text rest = {bytes.bytes + known->at, bytes.length - known->at};
    size_t found = lengths_find_mark(rest, mark), begun = strlen(mark) - 1;
    known->found = found < rest.length;
    if (known->found) {
        known->at += found;
        return known->at;
    }
    known->at += rest.length > begun ? rest.length - begun : 0; /* one may have begun */
    return bytes.length;
}

void marks_shift(struct marks *known, size_t count)
{
    if (known->at < count)
        *known = (struct marks){0};
    else
        *known = (struct marks){known->from > count ? known->from - count : 0, known->at - count,
                                known->found};
}
