/* Formats findings in order, as lines or as JSON. Findings contain names and texts from other
 * people, so only printable text reaches a terminal. The checks decide what is worth a finding. */
#include "doctor/findings.h"

#include <stdarg.h>
#include <string.h>

#include "base/buffer.h"
#include "base/format.h"
#include "base/text_utf8.h"
#include "base/text_visible.h"
#include "json/write.h"
#include "json/write_object.h"
#include "worker/instance.h"

#define MESSAGE_BYTES 1024

static const char *const level_names[] = {"ok", "warning", "trouble"};

static const char *keep_printable(struct arena *arena, const char *text)
{
    size_t length = strlen(text);
    char *kept = arena_print(arena, "%s", text);
    text_replace_control(kept, length);
    for (size_t i = 0; i < length && !text_is_utf8(kept, length); i++)
        if ((unsigned char)kept[i] >= 0x80)
            kept[i] = '?';
    return kept;
}

bool findings_add(struct examination *seen, enum finding_level level, const char *check,
                  const char *fix, const char *format, ...)
{
    char message[MESSAGE_BYTES];
    struct doctor *doctor = seen->doctor;
    struct arena *arena = doctor->arena;
    struct buffer *out = &doctor->findings;
    va_list arguments;
    va_start(arguments, format);
    format_cut_list(message, sizeof message, format, arguments);
    va_end(arguments);
    for (char *end = strchr(message, '\n'); end; end = strchr(end, '\n'))
        *end = ' '; /* texts from other programs can have several lines */
    const struct text said = text_of(keep_printable(arena, instance_adapt(arena, message)));
    const bool has_fix = level != FINDING_OK && fix;
    fix = has_fix ? keep_printable(arena, instance_adapt(arena, fix)) : NULL;
    if (doctor->as_json) {
        json_write_line(out);
        json_write_item(out, json_text("check", text_of(check)),
                        json_text("level", text_of(level_names[level])), json_text("message", said),
                        json_text("fix", text_of(fix)));
    } else
        buffer_print(out, "%-8s %-13s %s%s%s\n", level_names[level], check, said.bytes,
                     has_fix ? "; fix: " : "", has_fix ? fix : "");
    doctor->problems += level == FINDING_PROBLEM;
    if (level > doctor->worst)
        doctor->worst = level;
    return level == FINDING_OK;
}

void doctor_append_findings(struct doctor *doctor, struct buffer *out)
{
    if (doctor->as_json)
        buffer_print(out, "{\"status\":\"%s\",\"checks\":[", level_names[doctor->worst]);
    buffer_append(out, doctor->findings.bytes, doctor->findings.length);
    buffer_append_string(out, doctor->as_json ? "\n]}\n" : "");
    buffer_free(&doctor->findings);
}
