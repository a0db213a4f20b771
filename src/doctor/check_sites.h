/* The check of the web servers' files on this machine, for what former versions needed there. */
#ifndef QSOSYNC_DOCTOR_CHECK_SITES_H
#define QSOSYNC_DOCTOR_CHECK_SITES_H

#include "doctor/examination.h"

/* Adds a finding for each site of nginx or Apache that still lets the web server ask for passwords
 * of the file that former versions wrote beside this logbook: nobody can sign in there. */
void check_sites(struct examination *seen);

#endif
