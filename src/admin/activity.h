/* Records acts that use files in the activity log. */
#ifndef QSOSYNC_ADMIN_ACTIVITY_H
#define QSOSYNC_ADMIN_ACTIVITY_H

#include "admin/command.h"
#include "base/text.h"

/* Records an act in the activity log of the open logbook. `subject` is the callsign of the member
 * whom the act affects (no text: the whole logbook). `path` is the file (NULL: no file), and
 * `outcome` is NULL if there is no outcome. A failure to record is reported, but does not undo the
 * act. */
void activity_note(struct invocation *invocation, const char *act, struct text subject,
                   const char *path, const char *outcome);

#endif
