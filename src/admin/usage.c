/* Takes the usage line of a command's row apart, word by word, into options and arguments. The
 * command line is compared with it in arguments.c, the help prints it as it is. A row that cannot
 * be read ends the program (assert), whatever the command. */
#include "admin/usage.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

static void copy_name(char name[USAGE_NAME_BYTES], const char *word, size_t length)
{
    assert(length < USAGE_NAME_BYTES);
    memcpy(name, word, length);
    name[length] = '\0';
}

void usage_read(const char *line, struct usage *usage)
{
    struct usage_word *option = NULL; /* whose value may be the next word */
    int depth = strstr(line, " | ") ? 1 : 0, outermost = depth; /* of brackets */
    *usage = (struct usage){0};
    for (const char *word = line + strspn(line, " "); *word; word += strspn(word, " ")) {
        int opened = (int)strspn(word, "[");
        if (strncmp(word, "| ", 2) == 0) {
            option = NULL;
            word++;
            continue;
        }
        const char *name = word + opened;
        size_t length = strcspn(name, " ]");
        depth += opened;
        if (strncmp(name, "--", 2) == 0) {
            assert(usage->option_count < USAGE_OPTIONS_MAX);
            option = &usage->options[usage->option_count++];
            copy_name(option->name, name + 2, length - 2);
            option->needed = depth == 0;
        } else if (option && opened == 0) {
            copy_name(option->value, name, length);
            option = NULL;
        } else {
            assert(usage->argument_count < USAGE_ARGUMENTS_MAX);
            copy_name(usage->arguments[usage->argument_count].name, name, length);
            usage->arguments[usage->argument_count++].needed = depth == 0;
        }
        size_t closed = strspn(name + length, "]");
        if (closed > 0)
            option = NULL;
        depth -= (int)closed;
        word = name + length + closed;
    }
    assert(depth == outermost);
}

const struct usage_word *usage_find_option(const struct usage *usage, const char *name)
{
    for (int i = 0; i < usage->option_count; i++)
        if (strcmp(usage->options[i].name, name) == 0)
            return &usage->options[i];
    return NULL;
}
