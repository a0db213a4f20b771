/* The member whose callsign is given on the command line. */
#ifndef QSOSYNC_ADMIN_FIND_MEMBER_H
#define QSOSYNC_ADMIN_FIND_MEMBER_H

#include "admin/command.h"
#include "qso/locator.h"
#include "store/members.h"

/* A callsign in the form in which members have it: trimmed, upper case, in the invocation's arena.
 * False after a line on standard error. */
bool find_member_read_callsign(struct invocation *invocation, const char *argument,
                               struct text *callsign);

/* A locator in its normal form, of which `normal` keeps the bytes. False after a line on standard
 * error. */
bool find_member_read_locator(const char *argument, char normal[LOCATOR_LENGTH_MAX],
                              struct text *locator);

/* A member's callsign that is the same in this or another spelling; NULL: there is none. */
const char *find_member_similar(struct invocation *invocation, struct text callsign);

/* The member whose callsign is an argument, in the invocation's arena; false after a line on
 * standard error, which names a member whose callsign is the same in another spelling. */
bool find_member(struct invocation *invocation, const char *argument, struct member *member);

#endif
