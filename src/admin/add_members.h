/* Members who are added together. */
#ifndef QSOSYNC_ADMIN_ADD_MEMBERS_H
#define QSOSYNC_ADMIN_ADD_MEMBERS_H

#include "admin/command.h"

/* Runs member add --from FILE; returns the exit status. */
int add_members_from(struct invocation *invocation);

#endif
