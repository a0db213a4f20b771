/* clientIds for records that have none: name-based UUIDs, so that the same QSO out of another
 * program, or the same file once more, gets the same one. */
#ifndef QSOSYNC_ADIF_NAMING_H
#define QSOSYNC_ADIF_NAMING_H

#include "base/buffer.h"
#include "base/uuid.h"
#include "qso/qso.h"

#define NAMING_NAME_BYTES 320

/* STATION|WORKED|BAND|YYYY-MM-DDThh:mm|ORDINAL */
struct naming_name {
    char bytes[NAMING_NAME_BYTES];
    size_t length;
};

/* Counts the records of one file. Its memory grows with their number, 20 bytes each. */
struct naming;

/* Never returns NULL; naming_free frees it. */
struct naming *naming_create(void);
void naming_free(struct naming *naming); /* NULL is allowed */

/* The name of the next record of the file; every record that is accepted has to be named, also one
 * with a clientId of its own, because the ordinal counts equal ones. */
void naming_next(struct naming *naming, const struct qso *qso, struct text member,
                 struct naming_name *out);

/* What has been counted, as hexadecimal digits; and that put into a naming that has counted nothing
 * yet, false for anything else. */
void naming_append_state(const struct naming *naming, struct buffer *out);
bool naming_restore(struct naming *naming, struct text state);

/* The clientId of a name; and the one that a member gets where the first is another member's. */
void naming_make_id(const struct naming_name *name, unsigned char out[UUID_BYTES]);
void naming_make_member_id(const struct naming_name *name, struct text member,
                           unsigned char out[UUID_BYTES]);

/* Could another record of the file, one without a clientId of its own, get this id? It is the id of
 * the record with this name. */
bool naming_may_recur(const struct naming_name *name, struct text member,
                      const unsigned char id[UUID_BYTES]);

#endif
