/* Returns commands to paste, which several checks of a service recommend. */
#ifndef QSOSYNC_DOCTOR_FIXES_H
#define QSOSYNC_DOCTOR_FIXES_H

#include "doctor/examination.h"

/* Returns the command that installs the shipped site, or an instruction on a shared host, where
 * users have no root rights. */
const char *fixes_put_site(struct examination *seen);

/* Returns a line that runs the command `before` ("": none), and then installs the shipped site with
 * this option. Returns NULL on a shared host, where users have no root rights. */
const char *fixes_put_site_with(struct examination *seen, const char *before, const char *option);

/* Returns the command that examines the service at another address. */
const char *fixes_examine(struct examination *seen, const char *address);

#endif
