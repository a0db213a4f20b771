/* Decides which passwords a member may choose. */
#ifndef QSOSYNC_BASE_PASSWORD_CHOICE_H
#define QSOSYNC_BASE_PASSWORD_CHOICE_H

#include "base/text.h"

/* Returns NULL, or the reason for rejecting the password of a member with this callsign, as a
 * phrase that follows "the password". A password is rejected if it is too short or too long, or if
 * it contains control characters. The callsign in any spelling and the commonest passwords are also
 * rejected, even with a few additional characters. */
const char *password_find_fault(struct text password, struct text callsign);

#endif
