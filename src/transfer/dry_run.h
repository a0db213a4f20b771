/* Remembers what a dry run would have saved, so that later records of the file are compared with it
 * as they would be with the log. Most QSOs are kept as a few bytes, enough to recognise the same
 * QSO again. */
#ifndef QSOSYNC_TRANSFER_DRY_RUN_H
#define QSOSYNC_TRANSFER_DRY_RUN_H

#include "base/buffer.h"
#include "base/uuid.h"
#include "qso/qso.h"

struct dry_run;

/* Never returns NULL; dry_run_free frees it. */
struct dry_run *dry_run_create(void);
void dry_run_free(struct dry_run *dry_run); /* NULL is allowed */

/* The id under which a QSO is noted: its clientId, or its id and zeros. */
void dry_run_find_id(const struct qso *qso, unsigned char out[UUID_BYTES]);

/* Notes the QSO that would be stored under the id now. whole: the QSO itself is kept, too. */
void dry_run_note(struct dry_run *dry_run, const unsigned char id[UUID_BYTES],
                  const struct qso *qso, bool whole);

/* True if something was noted under the id. */
bool dry_run_has(struct dry_run *dry_run, const unsigned char id[UUID_BYTES]);

/* Would this QSO change what was noted under the id? */
bool dry_run_differs(struct dry_run *dry_run, const unsigned char id[UUID_BYTES],
                     const struct qso *qso);

/* The QSO that was noted; it lives as long as the dry_run. NULL: it was not kept whole. */
const struct qso *dry_run_find(struct dry_run *dry_run, const unsigned char id[UUID_BYTES]);

/* Notes what would be kept beside the QSO under the id; whether that is nothing, or this. */
void dry_run_note_leftovers(struct dry_run *dry_run, const unsigned char id[UUID_BYTES],
                            struct text leftovers);
bool dry_run_has_leftovers(struct dry_run *dry_run, const unsigned char id[UUID_BYTES]);
bool dry_run_leftovers_are(struct dry_run *dry_run, const unsigned char id[UUID_BYTES],
                           struct text leftovers);

/* What was noted, less the QSOs that are kept whole, as hexadecimal digits and a colon; and that
 * put into a dry_run that is empty yet, false for anything else. */
void dry_run_append_state(const struct dry_run *dry_run, struct buffer *out);
bool dry_run_restore(struct dry_run *dry_run, struct text state);

#endif
