/* Records acts with files in the activity log. */
#ifndef QSOSYNC_ADMIN_ACTIVITY_H
#define QSOSYNC_ADMIN_ACTIVITY_H

#include "admin/command.h"
#include "base/text.h"

/* Records an act in the open logbook: its name, the member (no text: all members), the path of the
 * file (NULL: none), and the outcome (NULL: none). If recording fails, the act is not undone; the
 * failure is reported. */
void activity_note(struct invocation *invocation, const char *act, struct text subject,
                   const char *path, const char *outcome);

#endif
