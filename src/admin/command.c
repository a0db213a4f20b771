/* Helpers that all commands share: messages to a person, exit statuses, the values of options,
 * checked texts. Messages leave as one line each, whatever is in them. This file knows no command;
 * the command line itself is read by main.c. */
#include "admin/command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/datetime.h"
#include "base/folder.h"
#include "base/log.h"
#include "doctor/doctor.h"
#include "qso/match.h"
#include "store/history.h"
#include "store/logbook.h"
#include "store/transaction.h"
#include "worker/settings.h"

int command_say(const char *format, ...)
{
    va_list arguments;
    if (!isatty(STDOUT_FILENO))
        return EXIT_DONE;
    progress_line_clear();
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    return command_finish_output();
}

int command_tell(int status, const char *hint, const char *format, ...)
{
    char message[1024];
    va_list arguments;
    progress_line_clear();
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    log_line("%s%s", message, hint);
    return status;
}

int command_finish(enum store_result result)
{
    return result == STORE_DONE ? EXIT_DONE : EXIT_REFUSED;
}

int command_finish_output(void)
{
    return fflush(stdout) == 0 ? EXIT_DONE : command_refuse("cannot write to standard output");
}

int command_print(struct buffer *out)
{
    bool written = fwrite(out->bytes, 1, out->length, stdout) == out->length;
    buffer_free(out);
    return written ? command_finish_output() : command_refuse("cannot write to standard output");
}

bool command_read_time(const char *argument, int64_t *ms)
{
    char midnight[] = "YYYY-MM-DDT00:00Z";
    if (strlen(argument) != strlen("YYYY-MM-DD"))
        return datetime_parse(text_of(argument), ms);
    memcpy(midnight, argument, strlen("YYYY-MM-DD"));
    return datetime_parse(text_of(midnight), ms);
}

bool command_read_number(const struct invocation *invocation, const char *name, int64_t maximum,
                         int64_t *value)
{
    const char *given = command_option(invocation, name);
    if (!given || text_parse_integer(text_of(given), 1, maximum, value))
        return true;
    command_misuse("option --%s takes an integer from 1 to %lld", name, (long long)maximum);
    return false;
}

bool command_read_text(const char *what, const char *argument, size_t maximum, struct text *text)
{
    struct text trimmed = text_trim(text_of(argument));
    bool clean = text_is_utf8(trimmed.bytes, trimmed.length) && !text_has_control(trimmed);
    size_t length = clean ? text_count_code_points(trimmed) : 0;
    if (length == 0 || length > maximum) {
        command_refuse("%s must be 1 to %zu printable characters", what, maximum);
        return false;
    }
    *text = trimmed;
    return true;
}

/* -- The user that a command runs as ----------------------------------------------------------- */

/* Root acts as the owner of a file's folder, and gains nothing by
 * a link there; another user who may not open the logbook is told, in one line, which command to
 * run. What a user may do is found out by src/doctor/findings.c. */

bool owner_may_open(const struct invocation *invocation, const char *path, bool to_write)
{
    if (!folder_act_as_owner(path, NULL)) {
        command_refuse("%s: cannot act as the owner of its folder: %s", path, strerror(errno));
        return false;
    }
    const char *command, *refusal = access_find_refusal(invocation->arena, invocation->line, path,
                                                        to_write, &command);
    if (!refusal)
        return true;
    command_refuse("%s; run: %s", refusal, command);
    return false;
}

/* Opens the logbook for the commands, and explains what operators meet first: there is none, or it
 * belongs to another user. Everything else that keeps it closed is logged by the store. Commands
 * whose row says so find it open already. */

bool logbook_open(struct invocation *invocation, const char *path, enum opening opening)
{
    if (!owner_may_open(invocation, path, opening != OPEN_READ_ONLY))
        return false;
    enum store_result result = store_open(path, opening, &invocation->store);
    if (result == STORE_DONE)
        store_act_as_operator(invocation->store, (struct text){0});
    if (result == STORE_NONE)
        command_refuse("%s is not a QSOsync logbook yet; make one with: qsosync-admin --db %s init",
                       path, path);
    if (result == STORE_DONE)
        store_set_history(invocation->store, settings_number(SETTING_HISTORY_DAYS, NULL, NULL),
                          settings_number(SETTING_HISTORY_STATES, NULL, NULL));
    return result == STORE_DONE;
}

/* -- How far long work has come ---------------------------------------------------------------- */

#define QUIET_MS 1000 /* shorter work shows nothing */
#define INTERVAL_MS 200
#define LINE_COLUMNS 60
#define BAR_COLUMNS 20

static int64_t began_ms; /* 0: there is no terminal */
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
        snprintf(line, sizeof line, "%s: %lld %% [%-*.*s]", phase, (long long)(done * 100 / total),
                 BAR_COLUMNS, (int)(done * BAR_COLUMNS / total), bar);
    else
        snprintf(line, sizeof line, "%s: %lld s", phase, (long long)((now_ms - began_ms) / 1000));
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

/* -- The member on the command line ------------------------------------------------------------ */

bool find_member_read_callsign(struct invocation *invocation, const char *argument,
                               struct text *callsign)
{
    if (member_read_callsign(invocation->arena, text_of(argument), callsign))
        return true;
    command_refuse("the callsign must be 1 to %d printable characters", MEMBER_CALLSIGN_MAX);
    return false;
}

bool find_member_read_locator(const char *argument, char normal[LOCATOR_LENGTH_MAX],
                              struct text *locator)
{
    struct text text = text_trim(text_of(argument));
    if (!locator_normalise(text, normal)) {
        command_refuse("%s is not a Maidenhead locator of 4 or 6 characters", argument);
        return false;
    }
    *locator = (struct text){normal, text.length};
    return true;
}

struct search {
    struct arena *arena;
    struct text callsign;
    const char *similar; /* NULL: none found yet */
};

static void compare(void *context, const struct member *member)
{
    struct search *search = context;
    if (match_same_callsign(search->callsign, member->callsign))
        search->similar =
            arena_copy(search->arena, member->callsign.bytes, member->callsign.length);
}

const char *find_member_similar(struct invocation *invocation, struct text callsign)
{
    struct search search = {invocation->arena, callsign, NULL};
    store_list_members(invocation->store, compare, &search);
    return search.similar;
}

bool find_member(struct invocation *invocation, const char *argument, struct member *member)
{
    struct text callsign;
    if (!find_member_read_callsign(invocation, argument, &callsign))
        return false;
    enum store_result result =
        store_find_member(invocation->store, invocation->arena, callsign, member);
    const char *similar = result == STORE_NONE ? find_member_similar(invocation, callsign) : NULL;
    if (similar)
        command_refuse("no member %s; did you mean %s?", callsign.bytes, similar);
    else if (result == STORE_NONE)
        command_refuse("no member %s", callsign.bytes);
    return result == STORE_DONE;
}

/* -- What the store does not note by itself: acts with files ----------------------------------- */

/* The last part of the path; a name that is no UTF-8 is left out. */
static const char *name_of(struct arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash && slash[1] ? slash + 1 : path;
    size_t length = strlen(name);
    if (!text_is_utf8(name, length))
        return "a file";
    char *shown = arena_copy(arena, name, length);
    text_hide_control(shown, length);
    return shown;
}

int note_act(struct invocation *invocation, const char *act, struct text subject, const char *path,
             const char *outcome)
{
    const char *name = name_of(invocation->arena, path);
    const char *details = outcome ? arena_print(invocation->arena, "%s: %s", name, outcome) : name;
    return note_act_done(invocation, act, subject, details);
}

int note_act_done(struct invocation *invocation, const char *act, struct text subject,
                  const char *details)
{
    enum store_result result =
        store_note_operator_act(invocation->store, act, subject, text_of(details));
    return result == STORE_DONE ? EXIT_DONE
                                : command_refuse("%s: done, but the log of acts lacks it", act);
}
