/* Remembers what a dry run would have saved, so that later records of the file are compared with it
 * as they would be with the log. Most QSOs are kept as a few bytes, enough to recognise the same
 * QSO again. */
#ifndef QSOSYNC_TRANSFER_DRY_RUN_H
#define QSOSYNC_TRANSFER_DRY_RUN_H

#include "base/buffer.h"
#include "base/table.h"
#include "qso/qso.h"

/* What was noted of a QSO; 0, NULL: nothing. */
struct noted {
    struct {
        uint32_t qso, leftovers; /* what is kept beside it */
    } hashes;
    const struct qso *whole; /* of a QSO that is kept */
};

struct dry_run {
    struct table noted; /* of struct noted */
};

/* What was noted of the QSO with this clientId, or this id. */
struct noted *dry_run_at(struct dry_run *dry_run, const struct qso *qso);

/* Hashes of a QSO and of a text; not 0. */
uint32_t dry_run_hash_qso(const struct qso *qso);
uint32_t dry_run_hash(struct text text);

/* A copy of the QSO that lives as long as the dry run. */
const struct qso *dry_run_copy(struct dry_run *dry_run, const struct qso *qso);

/* What was noted, less the QSOs that are kept whole, as hexadecimal digits; and that put into
 * a dry_run that is empty yet, false for anything else. */
void dry_run_append_state(const struct dry_run *dry_run, struct buffer *out);
bool dry_run_restore(struct dry_run *dry_run, struct text state);

#endif
