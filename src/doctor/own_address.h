/* The service's own address, of which links and QR codes are made, and by which the pages know
 * their own forms. */
#ifndef QSOSYNC_DOCTOR_OWN_ADDRESS_H
#define QSOSYNC_DOCTOR_OWN_ADDRESS_H

#include "base/text.h"
#include "doctor/doctor.h"

/* As the open logbook has it or, without that, QSOSYNC_ADDRESS of this process or of the pages'
 * unit; no text: nobody has said it. In the arena. False: there is no logbook to ask. */
bool own_address_read(struct doctor *doctor, struct text *out);

/* The command that sets it. */
const char *own_address_fix(struct doctor *doctor, const char *address);

#endif
