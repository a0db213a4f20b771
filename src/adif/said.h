/* Digests of all values in a record. A digest shows only whether a value is the same as before. */
#ifndef QSOSYNC_ADIF_SAID_H
#define QSOSYNC_ADIF_SAID_H

#include "adif/notes.h"
#include "adif/rows.h"

/* Returns a 48-bit hash of the values, except the time, that identify the record's contact. */
int64_t said_mark(const struct mapped *record, const struct contact *contact);

/* The items that have digests: a QSO's fields, the parts of the notes, the record's extra fields,
 * and ids. Notes from our extra field count as the body. */
#define SAID_NOTES FIELD_COUNT
#define SAID_LEFTOVERS (SAID_NOTES + NOTES_PART_COUNT)
#define SAID_IDS (SAID_LEFTOVERS + 1)
#define SAID_COUNT (SAID_IDS + MAPPED_IDS_MAX)

struct said {
    uint32_t digests[SAID_COUNT]; /* 0: the record does not contain the item */
};

#define SAID_DIGEST_BYTES 4
#define SAID_BYTES_MAX (SAID_COUNT * SAID_DIGEST_BYTES)

void said_read(const struct mapped *record, struct said *out);

/* Writes the digests that are not 0 to `out` in the stored format, SAID_DIGEST_BYTES each. Returns
 * the part of `out` that was written. */
struct text said_write(const struct said *said, unsigned char out[SAID_BYTES_MAX]);

/* Returns whether the stored digests include this digest. */
bool said_holds(struct text stored, uint32_t digest);

/* Returns the variant of a value's digest that marks the value as ignored: the value counts as sent
 * only for its own source, and is new from any other source. A value is ignored if its source may
 * not correct the QSO, or if the program has corrected the value through another source. */
uint32_t said_ignored(uint32_t digest);

/* Returns whether the stored digests show that this value was sent, whether or not the value was
 * stored in the QSO. */
bool said_was_sent(struct text stored, uint32_t digest);

/* Copies the stored digests. Digests that are in `before` but not in `now` are replaced with
 * said_ignored of the digest. Returns whether any digest has changed. */
bool said_withdraw(struct text stored, struct text before, const struct said *now,
                   unsigned char out[SAID_BYTES_MAX]);

#endif
