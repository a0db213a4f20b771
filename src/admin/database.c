/* Commands about the whole database: create it or update its schema, check it, restore it, confirm
 * the clock that decides its age, and set up further clubs on one server. After a restore, the
 * command reports the present content, its source, and data that no backup holds, so that nobody
 * discovers a loss later. src/recovery and the script service/instance do the work. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "admin/command.h"
#include "base/clock.h"
#include "base/datetime.h"
#include "base/folder.h"
#include "installation.h"
#include "recovery/backups.h"
#include "recovery/check.h"
#include "recovery/restore.h"
#include "recovery/restore_member.h"
#include "store/ageing.h"
#include "store/clock_confirmation.h"
#include "store/log/logbook.h"
#include "store/log/logbook_status.h"
#include "store/people/reviews.h"
#include "worker/instance.h"

/* -- Restore ----------------------------------------------------------------------------------- */

/* The files next to the logbook: `what` only for the programs' own files, which no backup holds. */
static const struct {
    const char *suffix, *what;
} beside[] = {
#define ROW(suffix, what) {suffix, what},
#include "schema/companion_files.inc"
};

static const char *plural(int64_t number)
{
    return number == 1 ? "" : "s";
}

static void report_content(const struct logbook_status *status)
{
    command_write(
        stdout,
        "restored: %lld member%s (%lld with a password), %lld active key%s, %lld active upload "
        "token%s, %lld QSO%s; uploads are %s\n",
        (long long)status->members, plural(status->members), (long long)status->passwords,
        (long long)status->active_keys, plural(status->active_keys),
        (long long)status->active_tokens, plural(status->active_tokens), (long long)status->qsos,
        plural(status->qsos), status->uploads ? "on" : "off");
}

static void report_files(const char *logbook)
{
    char path[PATH_MAX];
    const char *separator = "";
    command_write(stdout, "not part of any backup: ");
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        if (!beside[i].what || !folder_path_beside(logbook, beside[i].suffix, path) ||
            access(path, F_OK) != 0)
            continue;
        command_write(stdout, "%s%s%s, %s", separator, logbook, beside[i].suffix, beside[i].what);
        separator = "; ";
    }
    command_write(stdout,
                  "%sthe settings of the service, and the web server's site and certificate\n",
                  separator);
}

/* "Name of the club", 2 members (21SD333, 26AT101), 20 QSOs */
static const char *describe(const struct invocation *invocation, const struct restored_side *side)
{
    const struct text name = side->club.values[CLUB_NAME], callsigns = side->callsigns;
    struct arena *arena = invocation->arena;
    if (!side->is_known)
        return "no readable logbook";
    const char *called =
        name.bytes ? arena_print(arena, "\"%.*s\"", (int)name.length, name.bytes) : "no name";
    const char *whose = callsigns.bytes
                            ? arena_print(arena, " (%.*s%s)", (int)callsigns.length,
                                          callsigns.bytes, side->members > 3 ? ", ..." : "")
                            : "";
    return arena_print(arena, "%s, %lld member%s%s, %lld QSO%s", called, (long long)side->members,
                       plural(side->members), whose, (long long)side->qsos, plural(side->qsos));
}

static _Noreturn void refuse_other(const struct invocation *invocation,
                                   const struct restored_side *backup,
                                   const struct restored_side *present)
{
    command_refuse(
        "%s is a backup of another logbook: %s; this one is %s; nothing was restored. If that is "
        "intended, add --other-logbook",
        invocation->arguments[0], describe(invocation, backup), describe(invocation, present));
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

/* The values that differ between both, and which of them is current. */
static void report_choice(const struct invocation *invocation, const char *name,
                          const struct text values[2], struct text present)
{
    if (text_equals(values[0], values[1]))
        return;
    const bool kept = text_equals(present, values[0]);
    command_write(stdout, "%s: %s, %s; %s: %s\n", name, show_value(invocation, present),
                  kept ? "kept from the previous logbook" : "from the backup",
                  kept ? "in the backup" : "in the previous logbook",
                  show_value(invocation, values[kept ? 1 : 0]));
}

static void report_choices(struct invocation *invocation, const struct restored *restored,
                           bool uploads)
{
    const struct restored_side *former = &restored->former, *backup = &restored->backup;
    const struct club present = command_read_club(invocation);
    if (!former->is_known || !backup->is_known)
        return;
    for (int i = 0; i < CLUB_FIELDS; i++)
        report_choice(invocation, club_fields[i].name,
                      (struct text[]){former->club.values[i], backup->club.values[i]},
                      present.values[i]);
    report_choice(invocation, "uploads",
                  (struct text[]){text_of(former->uploads ? "on" : "off"),
                                  text_of(backup->uploads ? "on" : "off")},
                  text_of(uploads ? "on" : "off"));
}

static void report(struct invocation *invocation, const struct restored *restored)
{
    struct logbook_status status;
    command_write(stdout, "the backup: %s\nprevious logbook: %s\n",
                  describe(invocation, &restored->backup), describe(invocation, &restored->former));
    if (restored->kept)
        command_write(stdout, "the previous logbook is kept as %s\n", restored->kept);
    if (restored->deleted_members)
        command_warn("left out members who were deleted since the backup: %lld",
                     (long long)restored->deleted_members);
    logbook_open(invocation, invocation->database, OPEN_EXISTING);
    store_review_all(invocation->store);
    note_act(invocation, "restore", (struct text){0}, invocation->arguments[0], NULL);
    command_require_done(store_read_status(invocation->store, &status));
    report_content(&status);
    report_choices(invocation, restored, status.uploads);
    report_files(invocation->database);
    if (status.members && !status.passwords)
        command_write(
            stdout, "no member has a password; invite each one with qsosync-admin member invite\n");
}

/* Runs even after a failure in the middle, because finished work is kept. */
static void report_log(const struct restored_log *log)
{
    command_write(stdout, "restored %lld\nchanged back %lld\ndeleted %lld\nunchanged %lld\n",
                  (long long)log->restored, (long long)log->changed_back, (long long)log->deleted,
                  (long long)log->unchanged);
    if (log->left)
        command_write(stdout, "skipped %lld whose clientId now belongs to another member\n",
                      (long long)log->left);
    if (log->damaged)
        command_write(stdout, "skipped %lld that are damaged in the backup\n",
                      (long long)log->damaged);
    if (log->without_fields)
        command_write(stdout,
                      "%lld without extra fields, because the member has no room for them\n",
                      (long long)log->without_fields);
    if (log->kept)
        command_write(stdout, "a copy of the previous logbook is kept as %s\n", log->kept);
}

static void restore_member(struct invocation *invocation, const char *callsign, bool takes_other)
{
    struct restored_log log;
    const char *backup = invocation->arguments[0];
    logbook_open(invocation, invocation->database, OPEN_EXISTING);
    const struct member member = command_find_member(invocation, callsign);
    enum store_result result = store_restore_member(invocation->store, &member, backup, takes_other,
                                                    invocation->arena, &log);
    if (result == STORE_REFUSED)
        refuse_other(invocation, &log.backup, &log.present);
    if (result == STORE_NONE)
        command_refuse("%s contains no log of %s; nothing was restored", backup,
                       member.callsign.bytes);
    if (result != STORE_DONE && !log.kept)
        exit(EXIT_REFUSED);
    note_act(invocation, "restore", member.callsign, backup,
             arena_print(invocation->arena, "%lld restored, %lld changed back, %lld deleted",
                         (long long)log.restored, (long long)log.changed_back,
                         (long long)log.deleted));
    report_log(&log);
    if (result != STORE_DONE)
        command_refuse("the log of %s is only partly restored; run the command again",
                       member.callsign.bytes);
}

/* Returns the path of the newest backup in this folder, by content. File names depend on the clock,
 * which may have been wrong. */
static const char *find_newest(struct invocation *invocation, const char *folder)
{
    size_t count;
    char time[DATETIME_TEXT_LENGTH];
    owner_check(invocation, folder, false);
    const struct backup_file *files = backups_list(folder, invocation->arena, &count);
    const struct backup_file *newest = backups_find_newest(files, count);
    if (newest) {
        datetime_format(newest->stamp_ms, time);
        command_write(stdout, "the newest backup by content: %s, last write %.16sZ\n", newest->path,
                      time);
        fflush(stdout);
        return newest->path;
    }
    command_refuse("%s contains no readable backup", folder);
}

/* The argument, or the backup that --newest selects. */
static const char *take_backup(struct invocation *invocation)
{
    const char *folder = command_option(invocation, "newest");
    if (!invocation->arguments[0] == !folder)
        command_misuse("restore takes either FILE or --newest FOLDER");
    if (!folder)
        return invocation->arguments[0];
    const char **arguments = arena_allocate_zeroed(invocation->arena, 2 * sizeof *arguments);
    arguments[0] = find_newest(invocation, folder);
    invocation->arguments = arguments;
    return arguments[0];
}

void run_restore(struct invocation *invocation)
{
    struct restored restored;
    const char *callsign = command_option(invocation, "member");
    const char *logbook = invocation->database;
    const bool takes_other = command_has_option(invocation, "other-logbook");
    owner_check(invocation, logbook, true);
    const char *backup = take_backup(invocation);
    owner_check(invocation, backup, false);
    owner_check(invocation, logbook, true);
    if (callsign) {
        restore_member(invocation, callsign, takes_other);
        return;
    }
    enum store_result result =
        store_restore(logbook, backup, takes_other, invocation->arena, &restored);
    if (result == STORE_REFUSED)
        refuse_other(invocation, &restored.backup, &restored.former);
    command_require_done(result);
    report(invocation, &restored);
}

/* -- The clock --------------------------------------------------------------------------------- */

/* Whether it is old by this clock, for timers that remove old files. */
void run_clock_check(struct invocation *invocation)
{
    struct ageing ageing;
    command_require_done(store_read_ageing(invocation->store, &ageing));
    if (!ageing_is_believed(&ageing, clock_wall_ms()))
        command_refuse("the clock differs from the newest write by more than a day, or jumped in "
                       "the last week; run qsosync-admin doctor");
    command_report("the clock agrees with the logbook");
}

void run_clock_confirm(struct invocation *invocation)
{
    char time[DATETIME_TEXT_LENGTH];
    datetime_format(clock_wall_ms(), time);
    command_require_done(store_confirm_clock(invocation->store));
    command_report(
        "the clock says %.16sZ; backups and changes that are old by this clock are removed again",
        time);
}

/* -- Make and check ---------------------------------------------------------------------------- */

#define FUTURE_MS (5 * 60 * 1000) /* a minute is usual after a power cut */

/* Versions before sessions knew no operators: nobody would miss the role after an upgrade. */
static void mention_operators(struct invocation *invocation)
{
    struct logbook_status status;
    if (store_read_status(invocation->store, &status) == STORE_DONE && status.active_members > 0 &&
        status.operators == 0)
        command_warn(
            "no member is an operator, so nobody can open /operator/; if that is not intended: "
            "qsosync-admin member set CALLSIGN --operator on");
}

/* Creates the logbook, or updates the schema of an existing one, which must have everything that
 * programs need. Also removes files of versions before sessions: passwords for the web server to
 * read. */
void run_init(struct invocation *invocation)
{
    char path[PATH_MAX];
    const char *logbook = invocation->database;
    owner_check(invocation, logbook, true);
    enum store_result result = store_open(logbook, OPEN_EXISTING, &invocation->store);
    if (result == STORE_DONE)
        command_write(stdout,
                      store_was_brought_forward(invocation->store)
                          ? "%s is already a logbook; its schema was brought up to date\n"
                          : "%s is already a logbook and stays as it is\n",
                      logbook);
    if (result == STORE_NONE) {
        command_require_done(store_open(logbook, OPEN_OR_CREATE, &invocation->store));
        command_report("made %s", logbook);
    } else {
        command_require_done(result);
    }
    command_require_done(store_prepare(invocation->store));
    command_require_done(store_review_all(invocation->store));
    if (folder_path_beside(logbook, "-logins", path) && unlink(path) == 0)
        command_write(stdout, "removed %s, left by an older version\n", path);
    else if (errno != ENOENT)
        command_refuse("%s: %s", path, strerror(errno));
    mention_operators(invocation);
}

static void print_problem(void *context, const char *problem)
{
    (void)context;
    progress_line_clear();
    command_write(stdout, "%s\n", problem);
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
    command_warn("the newest syncedAt, %.*s, is ahead of the clock; new ones stay just above it "
                 "until the clock has caught up",
                 DATETIME_TEXT_LENGTH, text);
}

void run_check(struct invocation *invocation)
{
    const char *file = invocation->arguments[0];
    const char *path = file ? file : invocation->database;
    struct check_result problems, remarks;
    if (file && access(file, F_OK) != 0 && errno == ENOENT)
        command_refuse("%s: %s", file, strerror(errno));
    logbook_open(invocation, path, OPEN_READ_ONLY);
    mention_future(invocation->store);
    enum store_result result = store_check(invocation->store, print_problem, NULL, &problems);
    if (result == STORE_DONE && problems.count)
        command_refuse("%s has %lld problem%s", path, (long long)problems.count,
                       plural(problems.count));
    command_require_done(
        THEN(result, store_list_remarks(invocation->store, mention, NULL, &remarks)));
    command_report("no problems found");
}

/* -- Further clubs ----------------------------------------------------------------------------- */

#define SCRIPT QSOSYNC_SHARED_FILES "/service/instance"

void run_instance(struct invocation *invocation)
{
    struct arena *arena = invocation->arena;
    const char *name = invocation->arguments[0];
    size_t size = (4 + (size_t)invocation->option_count) * sizeof(char *);
    const char **line = arena_allocate_zeroed(arena, size);
    int length = 0;
    /* The workers of a club "site" would have the name of the first one's pages. */
    if (!instance_is_name(name) || strcmp(name, "site") == 0)
        command_misuse("a club's name has at most 20 lower-case letters and digits, starts with a "
                       "letter, and is not \"site\"");
    if (geteuid() != 0)
        command_refuse("only root can set up or remove a club");
    line[length++] = SCRIPT;
    line[length++] = strchr(invocation->command->words, ' ') + 1;
    line[length++] = name;
    for (int i = 0; i < invocation->option_count; i++)
        line[length++] = arena_print(arena, "--%s=%s", invocation->options[i].name,
                                     invocation->options[i].value);
    execv(SCRIPT, (char *const *)(uintptr_t)line);
    command_refuse("%s cannot be started", SCRIPT);
}
