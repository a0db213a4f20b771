/* Commands about the database as a whole: to make it or bring its schema up to date, to check it,
 * and to restore it, whose work is in restore.c. The rules that a check looks for are in
 * src/recovery/check.c. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "admin/command.h"
#include "admin/progress.h"
#include "admin/restore.h"
#include "base/clock.h"
#include "base/datetime.h"
#include "base/folder.h"
#include "recovery/check.h"
#include "store/logbook.h"

#define FUTURE_MS (5 * 60 * 1000) /* a minute is usual after a power cut */

/* The logbook, or the present schema in the one that is there. */
static enum store_result make_logbook(struct invocation *invocation)
{
    enum store_result result = store_open(invocation->database, OPEN_EXISTING, &invocation->store);
    if (result == STORE_DONE)
        printf(store_was_brought_forward(invocation->store)
                   ? "%s is a logbook already, and has the present schema now\n"
                   : "%s is a logbook already and stays as it is\n",
               invocation->database);
    if (result != STORE_NONE)
        return result;
    result = store_open(invocation->database, OPEN_OR_CREATE, &invocation->store);
    if (result == STORE_DONE)
        command_say("made %s", invocation->database);
    return result;
}

/* Versions before sessions wrote passwords there, for the web server to read. */
static bool remove_former_logins(const char *logbook)
{
    char path[PATH_MAX];
    bool is_there = folder_path_beside(logbook, "-logins", path) && unlink(path) == 0;
    if (is_there)
        printf("removed %s, of a former version\n", path);
    else if (errno != ENOENT)
        command_refuse("%s: %s", path, strerror(errno));
    return is_there || errno == ENOENT;
}

static int init(struct invocation *invocation)
{
    if (!owner_become(invocation->database) ||
        !owner_may_open(invocation, invocation->database, true))
        return EXIT_REFUSED;
    enum store_result result = make_logbook(invocation);
    return result == STORE_DONE && remove_former_logins(invocation->database)
               ? command_finish_output()
               : EXIT_REFUSED;
}

static void print_problem(void *context, const char *problem)
{
    (void)context;
    progress_line_clear();
    puts(problem);
}

static void mention(void *context, const char *remark)
{
    (void)context;
    command_warn("%s", remark);
}

/* Not a problem, because stamps only have to rise; but who reads them should know. */
static void mention_future(struct store *store)
{
    int64_t stamp_ms;
    char text[DATETIME_TEXT_LENGTH];
    if (store_find_last_stamp(store, &stamp_ms) != STORE_DONE ||
        stamp_ms < clock_wall_ms() + FUTURE_MS)
        return;
    datetime_format(stamp_ms, text);
    command_warn("the newest syncedAt, %.*s, is ahead of the clock; later ones follow it closely "
                 "until the clock has caught up",
                 DATETIME_TEXT_LENGTH, text);
}

static int check(struct invocation *invocation)
{
    const char *file = invocation->arguments[0];
    const char *path = file ? file : invocation->database;
    int64_t problems;
    if (file && access(file, F_OK) != 0 && errno == ENOENT)
        return command_refuse("%s: %s", file, strerror(errno));
    if (!logbook_open(invocation, path, OPEN_READ_ONLY))
        return EXIT_REFUSED;
    mention_future(invocation->store);
    enum store_result result = store_check(invocation->store, print_problem, NULL, &problems);
    if (result == STORE_DONE && !problems)
        result = store_list_remarks(invocation->store, mention, NULL);
    if (result != STORE_DONE)
        return command_finish(result);
    if (problems)
        return command_refuse("%s has %lld problem%s", path, (long long)problems,
                              problems == 1 ? "" : "s");
    return command_say("no problems found");
}

const struct command database_commands[] = {
    {.words = "init",
     .usage = "",
     .summary = "make the database; an existing one is left as it is",
     .opening = OPENS_ITSELF,
     .run = init},
    {.words = "restore",
     .usage = "FILE [--member CALLSIGN] [--other-logbook]",
     .summary = "replace the database, or one log, by a backup",
     .opening = OPENS_ITSELF,
     .run = restore_run},
    {.words = "check",
     .usage = "[FILE]",
     .opening = OPENS_ITSELF,
     .summary = "look for damage; prints a line for each problem",
     .run = check},
    {0},
};
