/* clientIds for records that have none: name-based UUIDs, so that the same QSO out of another
 * program, or the same file once more, gets the same one. They are made of a secret of the member:
 * from public names alone, anyone could compute them, probe whether the QSO is
 * there, or claim the id first. */
#ifndef QSOSYNC_ADIF_NAMING_H
#define QSOSYNC_ADIF_NAMING_H

#include "base/buffer.h"
#include "base/table.h"
#include "base/uuid.h"
#include "qso/qso.h"

#define NAMING_NAME_BYTES 320

/* STATION|WORKED|BAND|YYYY-MM-DDThh:mm|ORDINAL */
struct naming_name {
    char bytes[NAMING_NAME_BYTES];
    size_t length;
    size_t contact_length; /* without the last bar and the ordinal */
    uint32_t ordinal;      /* from 1 */
};

/* Counts the records of one file. Its memory, which is the arena's, grows with their number. */
struct naming {
    struct table counts; /* of uint32_t */
};
void naming_begin(struct naming *naming, struct arena *arena);

/* The name of the next record of the file; every record that is accepted has to be named, also one
 * with a clientId of its own, because the ordinal counts equal ones. */
void naming_next(struct naming *naming, const struct qso *qso, struct text member,
                 struct naming_name *out);

/* What has been counted, as hexadecimal digits; and that put into a naming that has counted nothing
 * yet, false for anything else. */
void naming_append_state(const struct naming *naming, struct buffer *out);
bool naming_restore(struct naming *naming, struct text state);

/* The clientId of a name, version 8, in the namespace that is the member's secret. attempt: 0, and
 * the next numbers if another member's QSO has the one before. */
void naming_make_id(const struct naming_name *name, const unsigned char secret[UUID_BYTES],
                    unsigned attempt, unsigned char out[UUID_BYTES]);

/* How many public names, of version 5, a record could have in releases up to 1.0; and these. */
#define NAMING_PUBLIC_COUNT 2
void naming_make_public_ids(const struct naming_name *name, struct text member,
                            unsigned char out[NAMING_PUBLIC_COUNT][UUID_BYTES]);

/* A file has records of one contact more than once; of these, the public names that the first ones
 * could have had. What comes after them is rare enough, and is not looked for. */
#define NAMING_ORDINALS_MAX 16
#define NAMING_PUBLIC_OF_CONTACT (NAMING_ORDINALS_MAX * NAMING_PUBLIC_COUNT)
void naming_make_contact_ids(const struct naming_name *name, struct text member,
                             unsigned char out[NAMING_PUBLIC_OF_CONTACT][UUID_BYTES]);

/* Could another record of the file, one without a clientId of its own, get this id? It is the id of
 * the record with this name. */
bool naming_may_recur(const struct naming_name *name, struct text member,
                      const unsigned char secret[UUID_BYTES], const unsigned char id[UUID_BYTES]);

#endif
