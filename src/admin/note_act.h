/* Acts of the command that the store does not note by itself: those with files. */
#ifndef QSOSYNC_ADMIN_NOTE_ACT_H
#define QSOSYNC_ADMIN_NOTE_ACT_H

#include "admin/command.h"

/* Notes it in the logbook that the invocation has open: what was done, to whom (no text: to all),
 * with the file of this path, and how it went (NULL: there is nothing to say). What was done stays
 * done if that fails. Returns the exit status. */
int note_act(struct invocation *invocation, const char *act, struct text subject, const char *path,
             const char *outcome);

/* The same with details that name no file. */
int note_act_done(struct invocation *invocation, const char *act, struct text subject,
                  const char *details);

#endif
