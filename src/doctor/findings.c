/* Collects findings in the order in which they were made, and writes them as lines or as JSON;
 * quotes the words of their commands as bash reads them. Names and texts of others are in them: no
 * byte that is not plain text reaches a terminal. What is worth a finding is decided by the checks.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "doctor/machine.h"
#include "json/write.h"
#include "worker/instance.h"

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

#define MESSAGE_BYTES 1024

struct finding {
    struct finding *next;
    enum finding_level level;
    const char *check;
    const char *message;
    const char *fix; /* NULL: none */
};

static const char *const level_names[] = {"ok", "warning", "trouble"};

/* Names and texts of others are in it: no byte of them may reach the terminal, or the JSON, that is
 * not plain text. */
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

void findings_add(struct findings *findings, enum finding_level level, const char *check,
                  const char *fix, const char *format, ...)
{
    char message[MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    for (char *end = strchr(message, '\n'); end; end = strchr(end, '\n'))
        *end = ' '; /* some of SQLite's sentences have two lines */
    struct finding *finding = arena_allocate_zeroed(findings->arena, sizeof *finding);
    *finding = (struct finding){
        .level = level,
        .check = arena_print(findings->arena, "%s", check),
        .message = keep_printable(findings->arena, instance_adapt(findings->arena, message)),
        .fix = fix ? keep_printable(findings->arena, instance_adapt(findings->arena, fix)) : NULL,
    };
    if (findings->last)
        findings->last->next = finding;
    else
        findings->first = finding;
    findings->last = finding;
    findings->problems += level == FINDING_PROBLEM;
    if (level > findings->worst)
        findings->worst = level;
}

static void append_json(const struct findings *findings, struct buffer *out)
{
    buffer_append(out, "{", 1);
    json_write_text(out, "status", text_of(level_names[findings->worst]));
    json_write_name(out, "checks");
    buffer_append(out, "[", 1);
    for (const struct finding *finding = findings->first; finding; finding = finding->next) {
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

void findings_append(const struct findings *findings, bool json, struct buffer *out)
{
    if (json) {
        append_json(findings, out);
        return;
    }
    for (const struct finding *finding = findings->first; finding; finding = finding->next) {
        buffer_print(out, "%-8s %-13s %s", level_names[finding->level], finding->check,
                     finding->message);
        if (finding->fix)
            buffer_print(out, "; fix: %s", finding->fix);
        buffer_append_string(out, "\n");
    }
}
