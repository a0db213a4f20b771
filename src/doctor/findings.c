/* Collects findings in the order in which they were made, and writes them as lines or as JSON;
 * quotes the words of their commands as bash reads them. Names and texts of others are in them: no
 * byte that is not plain text reaches a terminal. What is worth a finding is decided by the checks.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "doctor/machine.h"
#include "json/write.h"
#include "worker/instance.h"

#define MESSAGE_BYTES 1024

struct finding {
    struct finding *next;
    enum finding_level level;
    const char *check;
    const char *message;
    const char *fix; /* NULL: none */
};

static const char *const level_names[] = {"ok", "warning", "trouble"};

static const char *keep_printable(struct arena *arena, const char *text)
{
    size_t length = strlen(text);
    char *kept = arena_print(arena, "%s", text);
    text_hide_control(kept, length);
    for (size_t i = 0; i < length && !text_is_utf8(kept, length); i++)
        if ((unsigned char)kept[i] >= 0x80)
            kept[i] = '?';
    return kept;
}

bool findings_add(struct doctor *doctor, enum finding_level level, const char *check,
                  const char *fix, const char *format, ...)
{
    char message[MESSAGE_BYTES];
    struct arena *arena = doctor->arena;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    for (char *end = strchr(message, '\n'); end; end = strchr(end, '\n'))
        *end = ' '; /* sentences of others may have two lines */
    struct finding *finding = arena_allocate_zeroed(arena, sizeof *finding);
    *finding = (struct finding){
        .level = level,
        .check = check,
        .message = keep_printable(arena, instance_adapt(arena, message)),
        .fix = fix ? keep_printable(arena, instance_adapt(arena, fix)) : NULL,
    };
    if (doctor->last)
        doctor->last->next = finding;
    else
        doctor->first = finding;
    doctor->last = finding;
    doctor->problems += level == FINDING_PROBLEM;
    if (level > doctor->worst)
        doctor->worst = level;
    return level == FINDING_OK;
}

static void append_json(const struct doctor *doctor, struct buffer *out)
{
    buffer_append(out, "{", 1);
    json_write_text(out, "status", text_of(level_names[doctor->worst]));
    json_write_name(out, "checks");
    buffer_append(out, "[", 1);
    for (const struct finding *finding = doctor->first; finding; finding = finding->next) {
        json_write_line(out);
        buffer_append(out, "{", 1);
        json_write_text(out, "check", text_of(finding->check));
        json_write_text(out, "level", text_of(level_names[finding->level]));
        json_write_text(out, "message", text_of(finding->message));
        json_write_text(out, "fix", text_of(finding->fix));
        buffer_append(out, "}", 1);
    }
    buffer_append_string(out, "\n]}\n");
}

void doctor_append_findings(const struct doctor *doctor, bool json, struct buffer *out)
{
    if (json) {
        append_json(doctor, out);
        return;
    }
    for (const struct finding *finding = doctor->first; finding; finding = finding->next) {
        buffer_print(out, "%-8s %-13s %s", level_names[finding->level], finding->check,
                     finding->message);
        if (finding->fix)
            buffer_print(out, "; fix: %s", finding->fix);
        buffer_append_string(out, "\n");
    }
}

/* -- Words for a shell ------------------------------------------------------------------------- */

/* As printf(1) with %q writes it. */
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
    if (!text_is_utf8(word, strlen(word)) || text_has_control(text_of(word)))
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

const char *shell_database(const struct doctor *doctor)
{
    return strcmp(doctor->database, instance_database(doctor->arena)) == 0
               ? ""
               : arena_print(doctor->arena, "--db %s ",
                             shell_quote(doctor->arena, doctor->database));
}
