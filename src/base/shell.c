/* Quotes words in commands that a person pastes or that a shell runs. */
#include "base/shell.h"

#include <string.h>

/* Keeps control characters. A command that contains such characters works in a shell, but cannot be
 * pasted into a terminal. */
const char *shell_quote(struct arena *arena, const char *word)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+./:,@%";
    if (*word && word[strspn(word, plain)] == '\0')
        return word;
    char *quoted = arena_allocate(arena, strlen(word) * 4 + 3), *end = stpcpy(quoted, "'");
    for (; *word; word++)
        if (*word == '\'')
            end = stpcpy(end, "'\\''");
        else
            *end++ = *word;
    strcpy(end, "'");
    return quoted;
}
