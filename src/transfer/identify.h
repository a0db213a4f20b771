/* Which stored QSO a record of a file is. */
#ifndef QSOSYNC_TRANSFER_IDENTIFY_H
#define QSOSYNC_TRANSFER_IDENTIFY_H

#include "adif/naming.h"
#include "adif/rows.h"
#include "base/arena.h"
#include "store/credentials.h"
#include "store/members.h"
#include "store/qsos.h"

struct identify {
    struct store *store;
    const struct identity *member;
    unsigned char secret[UUID_BYTES]; /* of the member, for this transaction */
};

/* At the beginning of a transaction: gets the member's secret, and makes it if there is none and
 * may_write. */
enum store_result identify_begin(struct identify *identify, bool may_write);

/* Gives the record the clientId under which it is or will be stored, or none if the QSO that it
 * belongs to has none. STORE_DONE: that QSO is in *stored; STORE_NONE: it will be a new one.
 * STORE_CONFLICT: every clientId that it could get is another member's. *own: the record itself
 * tells which QSO it is. Texts are in the arena. */
enum store_result identify_record(const struct identify *identify, const struct naming_name *name,
                                  struct mapped *mapped, struct arena *arena, bool *own,
                                  struct qso *stored);

#endif
