/* Everything that the service holds about a member, in a file. */
#ifndef QSOSYNC_ADMIN_EXPORT_MEMBER_H
#define QSOSYNC_ADMIN_EXPORT_MEMBER_H

#include "admin/command.h"
#include "store/members.h"

/* Writes a JSON object with the member, the keys (never a key itself), the QSOs as the API gives
 * them and the spots to a new file, which is on the disk when this returns true. False after a line
 * on standard error; then there is no file. */
bool export_member(struct invocation *invocation, const struct member *member, const char *path);

#endif
