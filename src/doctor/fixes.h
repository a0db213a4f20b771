/* Commands to paste that several checks of a service recommend. */
#ifndef QSOSYNC_DOCTOR_FIXES_H
#define QSOSYNC_DOCTOR_FIXES_H

#include "doctor/examination.h"

/* Returns the command that installs the shipped site, or instructions for users without root
 * rights. */
const char *fixes_put_site(struct examination *seen);

/* Returns the command that installs the shipped site after another command ("": none), with an
 * option. Returns NULL for users without root rights. */
const char *fixes_put_site_with(struct examination *seen, const char *before, const char *option);

/* Returns the command that examines the service at another address. */
const char *fixes_examine(struct examination *seen, const char *address);

#endif
