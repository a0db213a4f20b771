/* A link that signs a member in. */
#ifndef QSOSYNC_ADMIN_INVITE_MEMBER_H
#define QSOSYNC_ADMIN_INVITE_MEMBER_H

#include "admin/command.h"

/* Runs member invite; returns the exit status. */
int invite_member(struct invocation *invocation);

#endif
