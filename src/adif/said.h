/* What a record of another program says, beside the values of its QSO: ids that the program gives,
 * and when the contact ended. And all that it says in the form in which it is remembered: digests,
 * which tell only whether a value is the same as before. */
#ifndef QSOSYNC_ADIF_SAID_H
#define QSOSYNC_ADIF_SAID_H

#include "adif/rows.h"

/* Fills the ids and the end of a record that is read, whose time is read already. */
void said_read_origin(struct reading *reading);

/* Takes an id as a program writes it, trimmed: UUIDs lose braces, hyphens and upper case. False: it
 * is too long, not ASCII, or says nothing, as 0 does. */
bool said_make_id(struct text program, struct text id, struct arena *arena, struct contact_id *out);

/* The name of a program in the form in which it is remembered: at most CONTACT_PROGRAM_MAX
 * characters of printable ASCII, in upper case, in the arena; no text if nothing is left. */
struct text said_make_program(struct text name, struct arena *arena);

/* A hash of what identifies the record's contact, except for the time; below 2 to the power of 48.
 */
int64_t said_mark(const struct mapped *record, const struct contact *contact);

/* Things that are remembered one by one: fields of a QSO; parts of the notes instead of the notes,
 * or all of them as the body; what has no field; and ids. */
#define SAID_NOTES FIELD_COUNT
#define SAID_LEFTOVERS (SAID_NOTES + NOTES_PART_COUNT)
#define SAID_IDS (SAID_LEFTOVERS + 1)
#define SAID_COUNT (SAID_IDS + MAPPED_IDS_MAX)

struct said {
    uint32_t digests[SAID_COUNT]; /* 0: the record does not say it */
};

#define SAID_DIGEST_BYTES 4
#define SAID_BYTES_MAX (SAID_COUNT * SAID_DIGEST_BYTES)

void said_read(const struct mapped *record, struct said *out);

/* The digests as they are stored: SAID_DIGEST_BYTES each, in the bytes of the caller. */
struct text said_write(const struct said *said, unsigned char out[SAID_BYTES_MAX]);

/* Whether one of the stored digests is this one. */
bool said_holds(struct text stored, uint32_t digest);

/* The digest of a value that the QSO did not take, because its source may not correct it. */
uint32_t said_in_vain(uint32_t digest);

/* Whether one of the stored digests is of this value, in vain or not. */
bool said_was_sent(struct text stored, uint32_t digest);

#endif
