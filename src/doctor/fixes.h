/* Returns commands to paste, which several checks of a service recommend. */
#ifndef QSOSYNC_DOCTOR_FIXES_H
#define QSOSYNC_DOCTOR_FIXES_H

#include "doctor/examination.h"

/* Returns the command that installs the shipped site, or an instruction on a shared host, where
 * users have no root rights. */
const char *fixes_put_site(struct examination *seen);

/* Returns the command that installs the shipped site, with the text `before` in front of the
 * command and the text `option` after it. Returns NULL on a shared host, where users have no root
 * rights. */
const char *fixes_put_site_with(struct examination *seen, const char *before, const char *option);

/* Returns the command that examines the service at another address. */
const char *fixes_examine(struct examination *seen, const char *address);

#endif
