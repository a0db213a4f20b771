/* What the doctor asks with a key. */
#ifndef QSOSYNC_ADMIN_DOCTOR_KEY_H
#define QSOSYNC_ADMIN_DOCTOR_KEY_H

#include "admin/conversation.h"
#include "store/credentials.h"

/* Whether the key arrives and is known, a large body arrives, and the log can be read. Nothing is
 * saved. No text: there is no key, which is a warning. */
void doctor_ask_with_key(struct conversation *with, struct text key);

#endif
