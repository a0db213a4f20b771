/* Functions for all commands: messages to a person, the end of the program and its status, values
 * of the command line, and the logbook. Each message is one line, whatever it contains. main.c
 * reads the command line; this file does not depend on any command. */
#include "admin/command.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/access.h"
#include "base/clock.h"
#include "base/datetime.h"
#include "base/folder.h"
#include "base/format.h"
#include "base/log.h"
#include "base/text_utf8.h"
#include "base/text_visible.h"
#include "qso/locator.h"
#include "store/log/edits.h"
#include "store/log/logbook.h"
#include "store/operator_log.h"
#include "store/storage.h"
#include "worker/settings.h"

static int exit_status = EXIT_DONE;

static void tell(const char *hint, const char *format, va_list arguments)
{
    char message[1024];
    progress_line_clear();
    format_cut_list(message, sizeof message, format, arguments);
    log_line("%s%s", message, hint);
}

void command_print_error(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tell("", format, arguments);
    va_end(arguments);
    exit_status = status == EXIT_DONE ? exit_status : status;
}

int command_finish(void)
{
    if (fflush(stdout) != 0 || ferror(stdout))
        command_fail("cannot write to standard output");
    return exit_status;
}

void command_end(int status, const char *hint, const char *format, ...)
{
    va_list arguments;
    if (fflush(stdout) != 0)
        exit(command_finish());
    va_start(arguments, format);
    tell(hint, format, arguments);
    va_end(arguments);
    exit(status);
}

void command_require_done(enum store_result result)
{
    if (result != STORE_DONE)
        exit(EXIT_REFUSED);
}

/* -- Standard output --------------------------------------------------------------------------- */

/* Output contains names and texts of others, so only visible characters reach a terminal. */
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

void command_report(const char *format, ...)
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

void command_write(FILE *to, const char *format, ...)
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

/* Such characters occur in strings alone; those below U+0020 are escaped already. */
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

void command_print(struct buffer *out, bool is_json)
{
    if (is_json)
        write_json((struct text){out->bytes, out->length});
    else
        write_lines(stdout, out->bytes, out->length);
    buffer_free(out);
}

/* -- Values of the command line ---------------------------------------------------------------- */

bool command_names(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names;
}

const char *command_option(const struct invocation *invocation, const char *name)
{
    const char *value = NULL;
    assert(!invocation->command || command_names(invocation->command->options, name));
    for (int i = 0; i < invocation->option_count; i++)
        if (strcmp(invocation->options[i].name, name) == 0)
            value = invocation->options[i].value;
    return value;
}

bool command_has_option(const struct invocation *invocation, const char *name)
{
    return command_option(invocation, name) != NULL;
}

bool command_read_time(const char *argument, int64_t *ms)
{
    char midnight[] = "YYYY-MM-DDT00:00Z";
    if (strlen(argument) != strlen("YYYY-MM-DD"))
        return datetime_parse(text_of(argument), ms);
    memcpy(midnight, argument, strlen("YYYY-MM-DD"));
    return datetime_parse(text_of(midnight), ms);
}

int64_t command_read_since(const struct invocation *invocation)
{
    const char *since = command_option(invocation, "since");
    int64_t ms = 0;
    if (since && !command_read_time(since, &ms))
        command_misuse(
            "option --since must be a date such as 2026-05-17, or a date and time such as "
            "2026-05-17T19:42:00Z");
    return ms;
}

int64_t command_read_number(const struct invocation *invocation, const char *name, int64_t maximum,
                            int64_t otherwise)
{
    const char *given = command_option(invocation, name);
    if (given && !text_parse_integer(text_of(given), 1, maximum, &otherwise))
        command_misuse("option --%s takes an integer from 1 to %lld", name, (long long)maximum);
    return otherwise;
}

bool command_read_switch(const struct invocation *invocation, const char *name)
{
    const char *given = command_option(invocation, name);
    const bool is_on = given && strcmp(given, "on") == 0;
    if (given && !is_on && strcmp(given, "off") != 0)
        command_misuse("option --%s must be on or off", name);
    return is_on;
}

struct text command_read_text(const char *what, const char *argument, size_t maximum)
{
    struct text trimmed = text_trim(text_of(argument));
    bool clean = text_is_utf8(trimmed.bytes, trimmed.length) && !text_has_control(trimmed);
    size_t length = clean ? text_count_code_points(trimmed) : 0;
    if (length == 0 || length > maximum)
        command_refuse("%s must be 1 to %zu printable characters", what, maximum);
    return trimmed;
}

struct text command_read_callsign(struct invocation *invocation, const char *argument)
{
    struct text callsign;
    if (!member_read_callsign(invocation->arena, text_of(argument), &callsign))
        command_refuse("the callsign must be 1 to %d printable characters", MEMBER_CALLSIGN_MAX);
    return callsign;
}

struct text command_read_locator(struct invocation *invocation)
{
    const char *given = command_option(invocation, "locator");
    struct text text = text_trim(text_of(given));
    char *normal = arena_allocate(invocation->arena, LOCATOR_LENGTH_MAX);
    if (given && !locator_normalise(text, normal))
        command_refuse("%s is not a Maidenhead locator of 4 or 6 characters", given);
    return given ? (struct text){normal, text.length} : text;
}

const char *command_find_similar(struct invocation *invocation, struct text callsign)
{
    struct member similar;
    return store_find_similar_member(invocation->store, invocation->arena, callsign, &similar) ==
                   STORE_DONE
               ? similar.callsign.bytes
               : NULL;
}

struct member command_find_member(struct invocation *invocation, const char *argument)
{
    struct member member;
    const struct text callsign = command_read_callsign(invocation, argument);
    /* As it is written: an older logbook may have two members who differ only in case. */
    enum store_result result = store_find_member(invocation->store, invocation->arena,
                                                 text_trim(text_of(argument)), &member);
    if (result == STORE_NONE)
        result = store_find_member(invocation->store, invocation->arena, callsign, &member);
    const char *similar = result == STORE_NONE ? command_find_similar(invocation, callsign) : NULL;
    if (similar)
        command_refuse("no member %s; did you mean %s?", callsign.bytes, similar);
    command_expect(result, STORE_NONE, "no member %s", callsign.bytes);
    return member;
}

/* -- Opening the logbook ----------------------------------------------------------------------- */

/* src/base/access.c finds out what a user may do. */
void owner_check(const struct invocation *invocation, const char *path, bool to_write)
{
    if (!folder_act_as_owner(path, NULL))
        command_refuse("%s: cannot act as the owner of its folder: %s", path, strerror(errno));
    const char *command, *refusal = access_find_refusal(invocation->arena, invocation->line, path,
                                                        to_write, &command);
    if (refusal)
        command_refuse("%s; run: %s", refusal, command);
}

void logbook_open(struct invocation *invocation, const char *path, enum opening opening)
{
    owner_check(invocation, path, opening != OPEN_READ_ONLY);
    command_expect(store_open(path, opening, &invocation->store), STORE_NONE,
                   "%s is not a QSOsync logbook yet; create one with: qsosync-admin --db %s init",
                   path, path);
    store_act_as_operator(invocation->store, (struct text){0});
    store_set_history(invocation->store, settings_number(SETTING_HISTORY_DAYS, NULL, NULL),
                      settings_number(SETTING_HISTORY_STATES, NULL, NULL));
    store_set_storage(invocation->store, settings_number(SETTING_MEMBER_MIB, NULL, NULL) << 20);
}

/* -- How far long work has come ---------------------------------------------------------------- */

#define QUIET_MS 1000 /* shorter work shows nothing */
#define INTERVAL_MS 200
#define LINE_COLUMNS 60
#define BAR_COLUMNS 20

static int64_t began_ms; /* 0: not a terminal */
static int terminal;     /* standard error as it was at the start, also while it is redirected */
static int64_t shown_ms; /* 0: no line is on the terminal */

void progress_line_show(const char *phase, int64_t done, int64_t total)
{
    static const char bar[BAR_COLUMNS + 1] = "####################";
    char line[LINE_COLUMNS + 1];
    int64_t now_ms = clock_monotonic_ms();
    if (!began_ms || now_ms - began_ms < QUIET_MS || now_ms - shown_ms < INTERVAL_MS)
        return;
    if (!phase)
        phase = "working";
    if (total > 0)
        format_cut(line, sizeof line, "%s: %lld %% [%-*.*s]", phase,
                   (long long)(done * 100 / total), BAR_COLUMNS, (int)(done * BAR_COLUMNS / total),
                   bar);
    else
        format_cut(line, sizeof line, "%s: %lld s", phase, (long long)((now_ms - began_ms) / 1000));
    dprintf(terminal, "\r%-*s\r", LINE_COLUMNS, line);
    shown_ms = now_ms;
}

void progress_line_begin(void)
{
    if (!isatty(STDERR_FILENO))
        return;
    terminal = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
    began_ms = clock_monotonic_ms();
    store_show_progress(progress_line_show);
}

void progress_line_clear(void)
{
    if (shown_ms)
        dprintf(terminal, "\r%*s\r", LINE_COLUMNS, "");
    shown_ms = 0;
}

/* -- What the store does not note by itself: acts with files ----------------------------------- */

/* The last part of the path; a name that is not UTF-8 is left out. */
static const char *name_of(struct arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash && slash[1] ? slash + 1 : path;
    size_t length = strlen(name);
    if (!text_is_utf8(name, length))
        return "a file";
    char *shown = arena_copy(arena, name, length);
    text_replace_control(shown, length);
    return shown;
}

void note_act(struct invocation *invocation, const char *act, struct text subject, const char *path,
              const char *outcome)
{
    const char *name = path ? name_of(invocation->arena, path) : NULL;
    const char *details = !name      ? outcome
                          : !outcome ? name
                                     : arena_print(invocation->arena, "%s: %s", name, outcome);
    if (store_record_operator_act(invocation->store, act, subject, text_of(details)) != STORE_DONE)
        command_fail("%s: done, but could not be recorded in the activity log", act);
}
