/* The command that deletes a member. */
#ifndef QSOSYNC_ADMIN_DELETE_MEMBER_H
#define QSOSYNC_ADMIN_DELETE_MEMBER_H

#include "admin/command.h"

/* Runs the command; returns the exit status. */
int delete_member(struct invocation *invocation);

#endif
