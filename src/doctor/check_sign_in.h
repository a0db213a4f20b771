/* The check of the way on which members sign in, from outside, through the web server. */
#ifndef QSOSYNC_DOCTOR_CHECK_SIGN_IN_H
#define QSOSYNC_DOCTOR_CHECK_SIGN_IN_H

#include "doctor/probe.h"

/* How many requests it makes, for who counts them. */
#define CHECK_SIGN_IN_REQUESTS 8

/* Adds one finding: whether the pages answer here, their forms and cookies arrive, and nobody keeps
 * copies of what is private. Nobody signs in, no password is tried, and no secret is sent. False:
 * something is wrong, or there are no pages. */
bool check_sign_in(struct probe *probe);

/* Adds a finding, and returns false, where the service is asked by https and says http of itself:
 * forms and cookies fail then for the same reason. */
bool check_sign_in_scheme(struct probe *probe);

/* Adds the finding for the service's own address as the logbook here or its unit has it: whether it
 * is the one that was asked. None without a logbook that can be read, and where the address that
 * was asked is one of this machine itself. */
void check_sign_in_address(struct probe *probe);

#endif
