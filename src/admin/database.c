/* Commands about the database as a whole. */
#include <stdio.h>

#include "admin/command.h"

static int init(struct invocation *invocation)
{
    enum store_result result = store_open(invocation->database, STORE_CREATE, &invocation->store);
    return command_finish(result);
}

static int backup(struct invocation *invocation)
{
    enum store_result result = store_back_up(invocation->store, invocation->operands[0]);
    if (result == STORE_CONFLICT)
        return command_refuse("%s exists already; a backup never overwrites a file",
                              invocation->operands[0]);
    return command_finish(result);
}

static int restore(struct invocation *invocation)
{
    char *kept;
    enum store_result result =
        store_restore(invocation->database, invocation->operands[0], invocation->arena, &kept);
    if (result == STORE_DONE && kept)
        printf("the former logbook is kept as %s\n", kept);
    return command_finish(result);
}

static void print_fault(void *context, const char *fault)
{
    (void)context;
    puts(fault);
}

static int check(struct invocation *invocation)
{
    int64_t faults;
    enum store_result result = store_check(invocation->store, print_fault, NULL, &faults);
    if (result != STORE_DONE)
        return command_finish(result);
    if (faults)
        return command_refuse("%s has %lld faults", invocation->database, (long long)faults);
    return EXIT_DONE;
}

const struct command command_init = {
    "init", "", 0, {NULL}, "", "make the database; an existing one is left as it is", true, init};
const struct command command_backup = {
    "backup", "FILE", 1, {NULL}, "", "copy the database while the service goes on", false, backup};
const struct command command_restore = {
    "restore", "FILE", 1, {NULL}, "", "put a backup in the place of the database", true, restore};
const struct command command_check = {
    "check", "", 0, {NULL}, "", "look for damage; prints a line for each fault", false, check};
