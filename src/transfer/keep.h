/* Which leftovers of a record (adif/leftovers.h) are to be kept beside its QSO. */
#ifndef QSOSYNC_TRANSFER_KEEP_H
#define QSOSYNC_TRANSFER_KEEP_H

#include "adif/rows.h"
#include "base/arena.h"
#include "store/leftovers.h"
#include "transfer/dry_run.h"

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
