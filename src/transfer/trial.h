/* What a dry run would have saved, so that later records of the file are compared with it as they
 * would be with the log. Most QSOs are kept as a few bytes, enough to recognise the same QSO again.
 */
#ifndef QSOSYNC_TRANSFER_TRIAL_H
#define QSOSYNC_TRANSFER_TRIAL_H

#include "base/buffer.h"
#include "base/uuid.h"
#include "qso/qso.h"

struct trial;

/* Never returns NULL; trial_free frees it. */
struct trial *trial_create(void);
void trial_free(struct trial *trial); /* NULL is allowed */

/* Notes the QSO that would be stored under the id now. whole: the QSO itself is kept, too. */
void trial_note(struct trial *trial, const unsigned char id[UUID_BYTES], const struct qso *qso,
                bool whole);

/* True if something was noted under the id. */
bool trial_holds(const struct trial *trial, const unsigned char id[UUID_BYTES]);

/* Would this QSO change what was noted under the id? */
bool trial_differs(const struct trial *trial, const unsigned char id[UUID_BYTES],
                   const struct qso *qso);

/* The QSO that was noted; its texts live as long as the trial. False: it was not kept whole. */
bool trial_find(const struct trial *trial, const unsigned char id[UUID_BYTES], struct qso *out);

/* What was noted, less the QSOs that are kept whole, as hexadecimal digits; and that put into a
 * trial that is empty yet, false for anything else. */
void trial_append_state(const struct trial *trial, struct buffer *out);
bool trial_restore(struct trial *trial, struct text state);

#endif
