/* Slows down guessing of passwords: counts failures in memory that all workers share, and verifies
 * few passwords at once. If a member has signed in on a device before, only the device's own
 * failures slow down that member's attempts on it. Valid links and passkeys are never refused.
 *
 *     TRY(attempt_begin(&attempt, exchange, &attempted));
 *     bool is_right = password_verify(password, hash);
 *     attempt_end(&attempt, !is_right);
 *
 * attempt_begin has ended the attempt if it returns an error. Links and passkeys need no attempt:
 * attempt_note_failure counts only invalid links and passkeys. */
#ifndef QSOSYNC_SITE_ATTEMPT_H
#define QSOSYNC_SITE_ATTEMPT_H

#include "base/shared_file.h"
#include "site/sign_in/throttle.h"
#include "worker/route.h"

/* The account whose password is tried, and the device. */
struct attempted {
    struct text name;  /* the callsign, as typed */
    int64_t member_id; /* 0: no member has the name */
    /* the cookie that shows that the member has signed in on this device before; no text: the
     * device is not known */
    struct text device;
};

/* An attempt with a password, from attempt_begin to attempt_end. */
struct attempt {
    struct shared_file shared; /* the table's file; not open: the attempt was refused */
    int64_t now_ms;
    uint64_t owners[THROTTLE_KINDS]; /* owners of the buckets; 0: no bucket of this kind */
    bool counted[THROTTLE_KINDS];
};

/* Begins an attempt. The attempt counts as failed until it ends, even if its process is killed.
 * Returns NULL, or the error to answer with: too many failures, or too many passwords being
 * verified. The caller calls attempt_end only after NULL. */
const struct error *attempt_begin(struct attempt *attempt, struct exchange *exchange,
                                  const struct attempted *attempted);

/* Ends an attempt. An attempt that has not failed is no longer counted. Earlier failures stay
 * counted, because otherwise members could guess others' passwords between two of their own. */
void attempt_end(struct attempt *attempt, bool has_failed);

/* Counts an invalid link or passkey. Returns `error`, or another error to answer with if there have
 * been too many failures. */
const struct error *attempt_note_failure(struct exchange *exchange, const struct error *error);

#endif
