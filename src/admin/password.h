/* The password with which a member logs in to the pages. */
#ifndef QSOSYNC_ADMIN_PASSWORD_H
#define QSOSYNC_ADMIN_PASSWORD_H

#include "admin/command.h"

/* Runs the command; returns the exit status. */
int password_renew(struct invocation *invocation);

#endif
