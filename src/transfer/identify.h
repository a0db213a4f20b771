/* Which stored QSO a record of a file is, and which of its leftovers (adif/leftovers.h) are to be
 * kept beside it. */
#ifndef QSOSYNC_TRANSFER_IDENTIFY_H
#define QSOSYNC_TRANSFER_IDENTIFY_H

#include "adif/naming.h"
#include "adif/rows.h"
#include "base/arena.h"
#include "store/credentials.h"
#include "store/members.h"
#include "store/qsos.h"
#include "transfer/dry_run.h"

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

/* -- What is kept beside it -------------------------------------------------------------------- */

struct keep_choice {
    struct store *store;
    int64_t member_id;
    struct dry_run *dry_run; /* NULL: not a dry run */
    const unsigned char *dry_run_id;
    bool fills;               /* the record may only fill what is empty */
    const struct qso *stored; /* NULL: it is not stored yet */
    const struct qso *merged; /* the QSO that the record becomes, or is joined to */
    struct mapped_source source;
};

/* *out is what takes the place of what is kept; no text: nothing changes. A record that brings its
 * own has all that were there replaced; what contradicts the QSO that it is joined with does not
 * count. In a dry run it is noted. */
enum store_result keep_choose(const struct keep_choice *choice, struct text brought,
                              struct arena *arena, struct text *out);

#endif
