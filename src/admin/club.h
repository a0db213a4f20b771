/* Reads the club's details. */
#ifndef QSOSYNC_ADMIN_CLUB_H
#define QSOSYNC_ADMIN_CLUB_H

#include "admin/command.h"
#include "store/club/club.h"

/* Returns the club's details from the open logbook. The texts are in the invocation's arena. */
struct club club_read(struct invocation *invocation);

#endif
