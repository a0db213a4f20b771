/* The checks that need a key. */
#ifndef QSOSYNC_DOCTOR_CHECK_KEY_H
#define QSOSYNC_DOCTOR_CHECK_KEY_H

#include "doctor/probe.h"
#include "store/credentials.h"

/* Whether the key arrives and is known, a large body arrives, and the log can be read. Nothing is
 * saved. No text: there is no key, which is a warning. */
void check_key(struct probe *probe, struct text key);

#endif
