/* Quotes words as bash reads them. A word may come from anybody, a file's name for instance: no
 * byte of it that is not plain text reaches the terminal. Which commands are made of the words is
 * left to the checks. */
#include "doctor/shell.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

static bool can_be_shown(const char *word)
{
    struct text text = text_of(word);
    return text_is_utf8(text.bytes, text.length) && !text_has_control(text);
}

/* As bash reads it, and printf(1) with %q writes it: no byte of it reaches the terminal as it is.
 */
static const char *quote_bytes(struct arena *arena, const char *word)
{
    char *quoted = arena_allocate(arena, strlen(word) * 4 + 4), *end = stpcpy(quoted, "$'");
    for (; *word; word++) {
        unsigned char byte = (unsigned char)*word;
        if (byte < 0x20 || byte >= 0x7F || byte == '\'' || byte == '\\')
            end += sprintf(end, "\\%03o", byte);
        else
            *end++ = *word;
    }
    strcpy(end, "'");
    return quoted;
}

const char *shell_quote(struct arena *arena, const char *word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                "0123456789-_=+./:,@%";
    if (*word && word[strspn(word, plain)] == '\0')
        return word;
    if (!can_be_shown(word))
        return quote_bytes(arena, word);
    char *quoted = arena_allocate(arena, strlen(word) * 4 + 3), *end = quoted;
    *end++ = '\'';
    for (; *word; word++)
        if (*word == '\'')
            end = stpcpy(end, "'\\''");
        else
            *end++ = *word;
    strcpy(end, "'");
    return quoted;
}
