/* Records the last backup, so that the doctor and status can report it. */
#include "admin/backup_record.h"

#include <stdlib.h>

#include "admin/command.h"
#include "recovery/backup_note.h"

void backup_record(struct invocation *invocation, struct backup_note *made)
{
    char *absolute = realpath(made->path.bytes, NULL);
    if (absolute)
        made->path = text_of(absolute);
    if (!backup_note_write(invocation->store, made))
        exit(EXIT_REFUSED);
    free(absolute);
}
