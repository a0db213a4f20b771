/* Commands about further clubs on one server, each with a user, a logbook, workers and a site of
 * its own. The work is that of root's programs, and is done by the script service/instance; what
 * the command line may hold is checked here. */
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "admin/command.h"
#include "installation.h"
#include "worker/instance.h"

#define SCRIPT QSOSYNC_SHARED_FILES "/service/instance"

static int run(struct invocation *invocation)
{
    struct arena *arena = invocation->arena;
    const char *name = invocation->arguments[0];
    size_t size = (4 + (size_t)invocation->option_count) * sizeof(char *);
    const char **line = arena_allocate_zeroed(arena, size);
    int length = 0;
    /* The workers of a club "site" would have the name of the first one's pages. */
    if (!instance_is_name(name) || strcmp(name, "site") == 0)
        return command_misuse("a club's name is small letters and digits, a letter first, at most "
                              "20, and not \"site\"");
    if (geteuid() != 0)
        return command_refuse("only root can set up a club, or take it away");
    line[length++] = SCRIPT;
    line[length++] = strchr(invocation->command->words, ' ') + 1;
    line[length++] = name;
    for (int i = 0; i < invocation->option_count; i++)
        line[length++] = arena_print(arena, "--%s=%s", invocation->options[i].name,
                                     invocation->options[i].value);
    execv(SCRIPT, (char *const *)(uintptr_t)line);
    return command_refuse("%s cannot be started", SCRIPT);
}

const struct command instance_commands[] = {
    {.words = "instance add",
     .usage = "NAME --address URL [--proxy ADDRESS]",
     .summary = "set up another club on this server, as root",
     .opening = OPENS_ITSELF,
     .run = run},
    {.words = "instance remove",
     .usage = "NAME [--delete-logbook] [--yes]",
     .summary = "take it away again; the logbook stays",
     .opening = OPENS_ITSELF,
     .run = run},
    {0},
};
