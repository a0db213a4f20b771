/* The commands instance add and instance remove, for more than one club on a server. The script
 * service/instance does the work. */
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "admin/command.h"
#include "installation.h"
#include "worker/instance.h"

#define SCRIPT QSOSYNC_SHARED_FILES "/service/instance"

void run_instance(struct invocation *invocation)
{
    struct arena *arena = invocation->arena;
    const char *name = invocation->arguments[0];
    size_t size = (4 + (size_t)invocation->option_count) * sizeof(char *);
    const char **line = arena_allocate_zeroed(arena, size);
    int length = 0;
    /* the workers of a club named "site" would have the names of the first club's page workers */
    if (!instance_is_name(name) || strcmp(name, "site") == 0)
        command_misuse(
            "a club's name must have at most 20 lower-case letters and digits, start with "
            "a letter, and not be \"site\"");
    if (geteuid() != 0)
        command_refuse("only root can set up or remove a club");
    line[length++] = SCRIPT;
    line[length++] = strchr(invocation->command->words, ' ') + 1;
    line[length++] = name;
    for (int i = 0; i < invocation->option_count; i++)
        line[length++] = arena_print(arena, "--%s=%s", invocation->options[i].name,
                                     invocation->options[i].value);
    execv(SCRIPT, (char *const *)(uintptr_t)line);
    command_refuse("%s cannot be started", SCRIPT);
}
