/* Commands about the database as a whole: to make it or bring its schema up to date, to check it,
 * to restore it, and to set up further clubs on one server. After a restore the command reports
 * what is there now, what it was made from, and what no backup holds, so that nobody has to find
 * that out when a member asks. The work is left to src/recovery and to the script service/instance.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "admin/command.h"
#include "base/clock.h"
#include "base/datetime.h"
#include "base/folder.h"
#include "installation.h"
#include "recovery/check.h"
#include "recovery/restore.h"
#include "store/logbook.h"
#include "worker/instance.h"

/* -- Restore ----------------------------------------------------------------------------------- */

/* What the programs keep beside the logbook, and no backup holds. */
static const struct {
    const char *suffix;
    const char *what;
} beside[] = {
    {"-gate", "the writers' lock"},
    {"-limits", "requests of the last minute"},
    {"-guesses", "failed sign-ins of the last minutes"},
    {"-rejections", "refused entries, for metrics"},
    {"-last-backup", "when the last backup was made, for status"},
};

static void say_number(int64_t number, const char *singular, const char *end)
{
    printf("%lld %s%s%s", (long long)number, singular, number == 1 ? "" : "s", end);
}

static void report_content(const struct logbook_status *status)
{
    printf("restored: ");
    say_number(status->members, "member", "");
    printf(" (%lld with a password), ", (long long)status->passwords);
    say_number(status->active_keys, "active key", ", ");
    say_number(status->active_tokens, "active upload token", ", ");
    say_number(status->qsos, "QSO", "; ");
    printf("uploads are %s\n", status->uploads ? "on" : "off");
}

static void report_files(const char *logbook)
{
    char path[PATH_MAX];
    const char *separator = "";
    printf("in no backup, as on this machine: ");
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        if (!folder_path_beside(logbook, beside[i].suffix, path) || access(path, F_OK) != 0)
            continue;
        printf("%s%s%s, %s", separator, logbook, beside[i].suffix, beside[i].what);
        separator = "; ";
    }
    printf("%sthe settings of the service, and the web server's site and certificate\n", separator);
}

/* "Name of the club", 2 members (21SD333, 26AT101), 20 QSOs */
static const char *describe(const struct invocation *invocation, const struct restored_side *side)
{
    const struct text name = side->club.values[CLUB_NAME], callsigns = side->callsigns;
    struct arena *arena = invocation->arena;
    if (!side->is_known)
        return "no logbook that can be read";
    const char *called =
        name.bytes ? arena_print(arena, "\"%.*s\"", (int)name.length, name.bytes) : "no name";
    const char *whose = callsigns.bytes
                            ? arena_print(arena, " (%.*s%s)", (int)callsigns.length,
                                          callsigns.bytes, side->members > 3 ? ", ..." : "")
                            : "";
    return arena_print(arena, "%s, %lld member%s%s, %lld QSO%s", called, (long long)side->members,
                       side->members == 1 ? "" : "s", whose, (long long)side->qsos,
                       side->qsos == 1 ? "" : "s");
}

static int refuse_other(const struct invocation *invocation, const struct restored_side *backup,
                        const struct restored_side *present)
{
    return command_refuse("%s is of another logbook: %s; here is %s; nothing was restored. If it "
                          "is meant, add --other-logbook",
                          invocation->arguments[0], describe(invocation, backup),
                          describe(invocation, present));
}

/* The first line of it. */
static const char *show_value(const struct invocation *invocation, struct text value)
{
    const char *end = value.bytes ? memchr(value.bytes, '\n', value.length) : NULL;
    if (!value.bytes)
        return "-";
    return arena_print(invocation->arena, "%.*s%s",
                       (int)(end ? (size_t)(end - value.bytes) : value.length), value.bytes,
                       end ? " ..." : "");
}

/* What both said differently, and which of them it is now. */
static void report_choice(const struct invocation *invocation, const char *name,
                          const struct text values[2], struct text present)
{
    if (text_equals(values[0], values[1]))
        return;
    const bool kept = text_equals(present, values[0]);
    printf("%s: %s, %s; %s: %s\n", name, show_value(invocation, present),
           kept ? "as decided here" : "from the backup", kept ? "in the backup" : "here before",
           show_value(invocation, values[kept ? 1 : 0]));
}

static int report_choices(const struct invocation *invocation, const struct restored *restored,
                          bool uploads)
{
    const struct restored_side *former = &restored->former, *backup = &restored->backup;
    struct club present;
    if (store_read_club(invocation->store, invocation->arena, &present) != STORE_DONE)
        return EXIT_REFUSED;
    if (!former->is_known || !backup->is_known)
        return EXIT_DONE;
    for (int i = 0; i < CLUB_FIELDS; i++)
        report_choice(invocation, club_fields[i].name,
                      (struct text[]){former->club.values[i], backup->club.values[i]},
                      present.values[i]);
    report_choice(invocation, "uploads",
                  (struct text[]){text_of(former->uploads ? "on" : "off"),
                                  text_of(backup->uploads ? "on" : "off")},
                  text_of(uploads ? "on" : "off"));
    return EXIT_DONE;
}

static int report(struct invocation *invocation, const struct restored *restored)
{
    struct logbook_status status;
    printf("the backup: %s\nhere before: %s\n", describe(invocation, &restored->backup),
           describe(invocation, &restored->former));
    if (restored->kept)
        printf("the former logbook is kept as %s\n", restored->kept);
    if (restored->deleted_members)
        command_warn("left out members who were deleted since the backup: %lld",
                     (long long)restored->deleted_members);
    if (!logbook_open(invocation, invocation->database, OPEN_EXISTING))
        return EXIT_REFUSED;
    const int noted =
        note_act(invocation, "restore", (struct text){0}, invocation->arguments[0], NULL);
    if (store_read_status(invocation->store, &status) != STORE_DONE)
        return EXIT_REFUSED;
    report_content(&status);
    if (report_choices(invocation, restored, status.uploads) != EXIT_DONE)
        return EXIT_REFUSED;
    report_files(invocation->database);
    if (status.members && !status.passwords)
        printf("no member has a password; qsosync-admin member invite lets each of them in\n");
    const int printed = command_finish_output();
    return printed == EXIT_DONE ? noted : printed;
}

/* Also after a failure in the middle: what is done is done. */
static int report_log(const struct restored_log *log)
{
    printf("restored %lld\nchanged back %lld\ndeleted %lld\nunchanged %lld\n",
           (long long)log->restored, (long long)log->changed_back, (long long)log->deleted,
           (long long)log->unchanged);
    if (log->left)
        printf("left %lld, whose clientId another member has now\n", (long long)log->left);
    if (log->damaged)
        printf("left %lld, which are damaged in the backup\n", (long long)log->damaged);
    if (log->kept)
        printf("a copy of the logbook from before is kept as %s\n", log->kept);
    return command_finish_output();
}

static int restore_member(struct invocation *invocation, const char *callsign)
{
    struct member member;
    struct restored_log log;
    const char *backup = invocation->arguments[0];
    if (!logbook_open(invocation, invocation->database, OPEN_EXISTING) ||
        !find_member(invocation, callsign, &member))
        return EXIT_REFUSED;
    enum store_result result = store_restore_member(invocation->store, &member, backup,
                                                    command_has_option(invocation, "other-logbook"),
                                                    invocation->arena, &log);
    if (result == STORE_REFUSED)
        return refuse_other(invocation, &log.backup, &log.present);
    if (result == STORE_NONE)
        return command_refuse("%s has no log of %s; nothing was restored", backup,
                              member.callsign.bytes);
    int noted = EXIT_DONE;
    if (result == STORE_DONE || log.kept)
        noted = note_act(invocation, "restore", member.callsign, backup,
                         arena_print(invocation->arena,
                                     "%lld restored, %lld changed back, %lld deleted",
                                     (long long)log.restored, (long long)log.changed_back,
                                     (long long)log.deleted));
    if (result == STORE_DONE) {
        const int printed = report_log(&log);
        return printed == EXIT_DONE ? noted : printed;
    }
    if (log.kept) {
        report_log(&log);
        command_refuse("the log of %s is not complete; run the command again",
                       member.callsign.bytes);
    }
    return EXIT_REFUSED;
}

static int restore_run(struct invocation *invocation)
{
    struct restored restored;
    const char *callsign = command_option(invocation, "member");
    const char *backup = invocation->arguments[0];
    const char *logbook = invocation->database;
    if (!owner_may_open(invocation, logbook, true) || !owner_may_open(invocation, backup, false) ||
        !owner_may_open(invocation, logbook, true))
        return EXIT_REFUSED;
    if (callsign)
        return restore_member(invocation, callsign);
    enum store_result result =
        store_restore(logbook, backup, command_has_option(invocation, "other-logbook"),
                      invocation->arena, &restored);
    if (result == STORE_REFUSED)
        return refuse_other(invocation, &restored.backup, &restored.former);
    return result == STORE_DONE ? report(invocation, &restored) : EXIT_REFUSED;
}

/* -- Make and check ---------------------------------------------------------------------------- */

#define FUTURE_MS (5 * 60 * 1000) /* a minute is usual after a power cut */

/* The logbook, or the present schema in the one that is there. */
static enum store_result make_logbook(struct invocation *invocation)
{
    enum store_result result = store_open(invocation->database, OPEN_EXISTING, &invocation->store);
    if (result == STORE_DONE)
        printf(store_was_brought_forward(invocation->store)
                   ? "%s is a logbook already, and has the present schema now\n"
                   : "%s is a logbook already and stays as it is\n",
               invocation->database);
    if (result != STORE_NONE)
        return result;
    result = store_open(invocation->database, OPEN_OR_CREATE, &invocation->store);
    if (result == STORE_DONE)
        command_say("made %s", invocation->database);
    return result;
}

/* Versions before sessions wrote passwords there, for the web server to read. */
static bool remove_former_logins(const char *logbook)
{
    char path[PATH_MAX];
    bool is_there = folder_path_beside(logbook, "-logins", path) && unlink(path) == 0;
    if (is_there)
        printf("removed %s, of a former version\n", path);
    else if (errno != ENOENT)
        command_refuse("%s: %s", path, strerror(errno));
    return is_there || errno == ENOENT;
}

static int init(struct invocation *invocation)
{
    if (!owner_may_open(invocation, invocation->database, true))
        return EXIT_REFUSED;
    enum store_result result = make_logbook(invocation);
    return result == STORE_DONE && remove_former_logins(invocation->database)
               ? command_finish_output()
               : EXIT_REFUSED;
}

static void print_problem(void *context, const char *problem)
{
    (void)context;
    progress_line_clear();
    puts(problem);
}

static void mention(void *context, const char *remark)
{
    (void)context;
    command_warn("%s", remark);
}

/* Not a problem, because stamps only have to rise; but who reads them should know. */
static void mention_future(struct store *store)
{
    int64_t stamp_ms;
    char text[DATETIME_TEXT_LENGTH];
    if (store_find_last_stamp(store, &stamp_ms) != STORE_DONE ||
        stamp_ms < clock_wall_ms() + FUTURE_MS)
        return;
    datetime_format(stamp_ms, text);
    command_warn("the newest syncedAt, %.*s, is ahead of the clock; later ones follow it closely "
                 "until the clock has caught up",
                 DATETIME_TEXT_LENGTH, text);
}

static int check(struct invocation *invocation)
{
    const char *file = invocation->arguments[0];
    const char *path = file ? file : invocation->database;
    struct check_result problems, remarks;
    if (file && access(file, F_OK) != 0 && errno == ENOENT)
        return command_refuse("%s: %s", file, strerror(errno));
    if (!logbook_open(invocation, path, OPEN_READ_ONLY))
        return EXIT_REFUSED;
    mention_future(invocation->store);
    enum store_result result = store_check(invocation->store, print_problem, NULL, &problems);
    if (result == STORE_DONE && !problems.count)
        result = store_list_remarks(invocation->store, mention, NULL, &remarks);
    if (result == STORE_DONE && problems.count)
        return command_refuse("%s has %lld problem%s", path, (long long)problems.count,
                              problems.count == 1 ? "" : "s");
    return command_done(result, "no problems found");
}

const struct command database_commands[] = {
    {"init", "", "make the database; an existing one is left as it is", .opening = OPENS_ITSELF,
     .run = init},
    {"restore", "FILE [--member CALLSIGN] [--other-logbook]",
     "replace the database, or one log, by a backup", .opening = OPENS_ITSELF, .run = restore_run},
    {"check", "[FILE]", "look for damage; prints a line for each problem", .opening = OPENS_ITSELF,
     .run = check},
    {0},
};

/* -- Further clubs ----------------------------------------------------------------------------- */

#define SCRIPT QSOSYNC_SHARED_FILES "/service/instance"

static int run(struct invocation *invocation)
{
    struct arena *arena = invocation->arena;
    const char *name = invocation->arguments[0];
    size_t size = (4 + (size_t)invocation->option_count) * sizeof(char *);
    const char **line = arena_allocate_zeroed(arena, size);
    int length = 0;
    /* The workers of a club "site" would have the name of the first one's pages. */
    if (!instance_is_name(name) || strcmp(name, "site") == 0)
        return command_misuse("a club's name is small letters and digits, a letter first, at most "
                              "20, and not \"site\"");
    if (geteuid() != 0)
        return command_refuse("only root can set up a club, or take it away");
    line[length++] = SCRIPT;
    line[length++] = strchr(invocation->command->words, ' ') + 1;
    line[length++] = name;
    for (int i = 0; i < invocation->option_count; i++)
        line[length++] = arena_print(arena, "--%s=%s", invocation->options[i].name,
                                     invocation->options[i].value);
    execv(SCRIPT, (char *const *)(uintptr_t)line);
    return command_refuse("%s cannot be started", SCRIPT);
}

const struct command instance_commands[] = {
    {"instance add", "NAME --address URL [--proxy ADDRESS]",
     "set up another club on this server, as root", .opening = OPENS_ITSELF, .run = run},
    {"instance remove", "NAME [--delete-logbook] [--yes]", "take it away again; the logbook stays",
     .opening = OPENS_ITSELF, .run = run},
    {0},
};
