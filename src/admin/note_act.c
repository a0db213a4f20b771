/* Puts a file's name into a form that the log of acts may hold, and notes the act. A path says more
 * of the machine than of the act, so the name alone is noted. What every other command notes is
 * decided in the store. */
#include "admin/note_act.h"

#include <string.h>

#include "store/operator_log.h"

/* The last part of the path; a name that is no UTF-8 is left out. */
static const char *name_of(struct arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash && slash[1] ? slash + 1 : path;
    size_t length = strlen(name);
    if (!text_is_utf8(name, length))
        return "a file";
    char *shown = arena_copy(arena, name, length);
    text_hide_control(shown, length);
    return shown;
}

int note_act(struct invocation *invocation, const char *act, struct text subject, const char *path,
             const char *outcome)
{
    const char *name = name_of(invocation->arena, path);
    const char *details = outcome ? arena_print(invocation->arena, "%s: %s", name, outcome) : name;
    return note_act_done(invocation, act, subject, details);
}

int note_act_done(struct invocation *invocation, const char *act, struct text subject,
                  const char *details)
{
    enum store_result result =
        store_note_operator_act(invocation->store, act, subject, text_of(details));
    return result == STORE_DONE ? EXIT_DONE
                                : command_refuse("%s: done, but the log of acts lacks it", act);
}
