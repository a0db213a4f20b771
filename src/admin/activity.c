/* Records acts that use files in the activity log: imports, backups and restores. The store records
 * all other acts, together with the changes that they make. */
#include "admin/activity.h"

#include <string.h>

#include "admin/command.h"
#include "base/text_utf8.h"
#include "base/text_visible.h"
#include "store/operator_log.h"

/* Returns the file's name, or "a file" if the name is not UTF-8. */
static const char *name_of(struct arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash && slash[1] ? slash + 1 : path;
    size_t length = strlen(name);
    if (!text_is_utf8(name, length))
        return "a file";
    char *shown = arena_copy(arena, name, length);
    text_replace_control(shown, length);
    return shown;
}

void activity_note(struct invocation *invocation, const char *act, struct text subject,
                   const char *path, const char *outcome)
{
    const char *name = path ? name_of(invocation->arena, path) : NULL;
    const char *details = !name      ? outcome
                          : !outcome ? name
                                     : arena_print(invocation->arena, "%s: %s", name, outcome);
    if (store_record_operator_act(invocation->store, act, subject, text_of(details)) != STORE_DONE)
        command_fail("the %s is done, but could not be recorded in the activity log", act);
}
