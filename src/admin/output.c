/* Prints to standard output. Output contains names and texts from other people, so only visible
 * characters reach a terminal. */
#include "admin/output.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "admin/command.h"
#include "admin/progress_line.h"
#include "base/arena.h"
#include "base/text_utf8.h"
#include "base/text_visible.h"

static void write_lines(FILE *to, char *bytes, size_t length)
{
    struct text rest = {bytes, length};
    while (rest.bytes) {
        const struct text line = text_split_next(&rest, '\n');
        text_replace_control(bytes + (line.bytes - bytes), line.length);
    }
    fwrite(bytes, 1, length, to);
}

static void print(FILE *to, const char *format, va_list arguments)
{
    char *lines;
    const int length = vasprintf(&lines, format, arguments);
    if (length < 0)
        memory_give_up(0);
    write_lines(to, lines, (size_t)length);
    free(lines);
}

void output_report(const char *format, ...)
{
    va_list arguments;
    if (!isatty(STDOUT_FILENO))
        return;
    progress_line_clear();
    va_start(arguments, format);
    print(stdout, format, arguments);
    va_end(arguments);
    putchar('\n');
}

void output_write(FILE *to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print(to, format, arguments);
    va_end(arguments);
}

static unsigned code_point_of(struct text character)
{
    static const unsigned char first_bits[] = {0x7F, 0x7F, 0x1F, 0x0F, 0x07};
    unsigned code = (unsigned char)character.bytes[0] & first_bits[character.length];
    for (size_t i = 1; i < character.length; i++)
        code = code << 6 | ((unsigned char)character.bytes[i] & 0x3F);
    return code;
}

/* Prints JSON, and escapes invisible characters, which occur only in strings. Characters below
 * U+0020 are already escaped. */
static void write_json(struct text rest)
{
    while (rest.length > 0) {
        const size_t measured = text_first_length(rest);
        const struct text character = {rest.bytes, measured ? measured : 1};
        if (*rest.bytes == '\n' || !(text_has_control(character) || text_has_invisible(character)))
            fwrite(character.bytes, 1, character.length, stdout);
        else
            printf("\\u%04x", code_point_of(character));
        rest = text_skip(rest, character.length);
    }
}

void output_print(struct buffer *out, bool is_json)
{
    if (is_json)
        write_json((struct text){out->bytes, out->length});
    else
        write_lines(stdout, out->bytes, out->length);
    buffer_free(out);
}
