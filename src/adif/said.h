/* Digests of all values of a record, which show only whether a value is the same as before. */
#ifndef QSOSYNC_ADIF_SAID_H
#define QSOSYNC_ADIF_SAID_H

#include "adif/notes.h"
#include "adif/rows.h"

/* A hash of the data that identifies the record's contact, except for the time; below 2 to the
 * power of 48. */
int64_t said_mark(const struct mapped *record, const struct contact *contact);

/* Items with a digest of their own: fields of a QSO; parts of the notes, or all notes as the body;
 * extra fields; and ids. */
#define SAID_NOTES FIELD_COUNT
#define SAID_LEFTOVERS (SAID_NOTES + NOTES_PART_COUNT)
#define SAID_IDS (SAID_LEFTOVERS + 1)
#define SAID_COUNT (SAID_IDS + MAPPED_IDS_MAX)

struct said {
    uint32_t digests[SAID_COUNT]; /* 0: not in the record */
};

#define SAID_DIGEST_BYTES 4
#define SAID_BYTES_MAX (SAID_COUNT * SAID_DIGEST_BYTES)

void said_read(const struct mapped *record, struct said *out);

/* The digests as they are stored: SAID_DIGEST_BYTES each, in the bytes of the caller. */
struct text said_write(const struct said *said, unsigned char out[SAID_BYTES_MAX]);

/* Whether the stored digests include this one. */
bool said_holds(struct text stored, uint32_t digest);

/* The digest of a value that counts only for its source: the QSO did not take it, because the
 * source may not correct it; or the program has corrected it through another source. */
uint32_t said_in_vain(uint32_t digest);

/* Whether the stored digests include this value, whether or not it was stored in the QSO. */
bool said_was_sent(struct text stored, uint32_t digest);

/* Copies the stored digests. Those that are among before and not among now become digests in vain.
 * Returns whether there are any. */
bool said_withdraw(struct text stored, struct text before, const struct said *now,
                   unsigned char out[SAID_BYTES_MAX]);

#endif
