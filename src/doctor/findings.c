/* Writes findings in their order, as lines or as JSON, and quotes the words of their commands for
 * bash. They contain names and texts of others, so only plain text reaches a terminal. The checks
 * decide what is worth a finding. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/datetime.h"
#include "base/format.h"
#include "doctor/doctor.h"
#include "doctor/machine.h"
#include "installation.h"
#include "json/write.h"
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
        *end = ' '; /* sentences of others may have two lines */
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

/* -- Words for a shell ------------------------------------------------------------------------- */

/* A word with control characters cannot be pasted, because they do not reach a terminal. */
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

const char *shell_database(struct examination *seen)
{
    const char *database = seen->doctor->database;
    return strcmp(database, instance_database(seen->arena)) == 0
               ? ""
               : print(seen, "--db %s ", quote(seen, database));
}

/* -- Which user may open a file: the system is asked, nothing is opened ------------------------ */

static bool refuses(const char *path, int mode)
{
    return faccessat(AT_FDCWD, path, mode, AT_EACCESS) != 0 && errno == EACCES;
}

const char *access_find_refusal(struct arena *arena, const char *const *line, const char *path,
                                bool to_write, const char **command)
{
    struct stat status;
    const char *words = "";
    char *refusing = arena_print(arena, "%s", path);
    if (refuses(refusing, to_write ? R_OK | W_OK : R_OK)) {
        while (stat(refusing, &status) != 0 && errno == EACCES)
            refusing = dirname(refusing);
    } else {
        refusing = dirname(refusing);
        if (!to_write || !refuses(refusing, W_OK | X_OK))
            return NULL;
    }
    if (stat(refusing, &status) != 0 || status.st_uid == geteuid())
        return NULL;
    const char *owner = users_name(arena, status.st_uid);
    for (const char *const *word = line; *word; word++)
        words = arena_print(arena, "%s %s", words, shell_quote(arena, *word));
    *command = arena_print(arena, "runuser -u %s -- qsosync-admin%s", owner, words);
    return arena_print(arena, "%s belongs to %s", refusing, owner);
}

/* -- The state of a logbook, for the command status and the operator's page -------------------- */

#define ROW(label, name, kind, place) {label, name, FACT_##kind, offsetof(struct facts, place)},
const struct fact facts_rows[] = {
#include "schema/status_fields.inc"
    {0},
};

enum store_result facts_read(struct store *store, const char *database, struct arena *arena,
                             struct facts *out)
{
    *out = (struct facts){.version = text_of(QSOSYNC_VERSION), .path = text_of(database)};
    store_find_backup_note(database, arena, &out->backup);
    out->kept = backup_list_kept(database, arena);
    return store_read_status(store, &out->logbook);
}

struct text facts_text(const struct facts *facts, const struct fact *fact)
{
    return *(const struct text *)(const void *)((const char *)facts + fact->place);
}

int64_t facts_number(const struct facts *facts, const struct fact *fact)
{
    return *(const int64_t *)(const void *)((const char *)facts + fact->place);
}

void facts_append_value(struct buffer *out, const struct facts *facts, const struct fact *fact)
{
    char time[DATETIME_TEXT_LENGTH];
    const struct text text = fact->kind == FACT_TEXT ? facts_text(facts, fact) : (struct text){0};
    const int64_t number = fact->kind == FACT_TEXT ? 0 : facts_number(facts, fact);
    if (fact->kind == FACT_TEXT)
        buffer_print(out, "%.*s", text.bytes ? (int)text.length : 1, text.bytes ? text.bytes : "-");
    else if (fact->kind == FACT_TIME && number == 0)
        buffer_append_string(out, "never");
    else if (fact->kind == FACT_TIME) {
        datetime_format(number, time);
        buffer_append(out, time, sizeof time);
    } else
        buffer_print(out, "%lld%s", (long long)number, fact->kind == FACT_BYTES ? " bytes" : "");
}
