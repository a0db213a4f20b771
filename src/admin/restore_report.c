/* Reports the outcome of a restore: the logbook's content, the sources of values that differ, and
 * data that backups do not contain. The operator thus notices a loss immediately. */
#include "admin/restore_report.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "admin/activity.h"
#include "admin/club.h"
#include "admin/command.h"
#include "admin/logbook.h"
#include "admin/output.h"
#include "base/folder.h"
#include "recovery/restored.h"
#include "store/log/logbook.h"
#include "store/log/logbook_status.h"
#include "store/people/reviews.h"

/* The files next to the logbook. `what` describes a file that backups do not contain, and is NULL
 * for SQLite's own files. */
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
    output_write(
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
    output_write(stdout, "not part of any backup: ");
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        if (!beside[i].what || !folder_path_beside(logbook, beside[i].suffix, path) ||
            access(path, F_OK) != 0)
            continue;
        output_write(stdout, "%s%s%s, %s", separator, logbook, beside[i].suffix, beside[i].what);
        separator = "; ";
    }
    output_write(stdout,
                 "%sthe settings of the service, and the web server's site and certificate\n",
                 separator);
}

/* Returns a description of a logbook, for example: "Name of the club", 2 members (21SD333,
 * 26AT101), 20 QSOs */
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

_Noreturn void restore_report_refuse(const struct invocation *invocation,
                                     const struct restored_side *backup,
                                     const struct restored_side *present)
{
    command_refuse("nothing was restored, because %s is a backup of another logbook [%s], and this "
                   "logbook is [%s]; if you want to restore the other logbook, add --other-logbook",
                   invocation->arguments[0], describe(invocation, backup),
                   describe(invocation, present));
}

/* Returns the first line of the value, followed by " ..." if there are more lines; "-" if there is
 * no value. */
static const char *show_value(const struct invocation *invocation, struct text value)
{
    const char *end = value.bytes ? memchr(value.bytes, '\n', value.length) : NULL;
    if (!value.bytes)
        return "-";
    return arena_print(invocation->arena, "%.*s%s",
                       (int)(end ? (size_t)(end - value.bytes) : value.length), value.bytes,
                       end ? " ..." : "");
}

/* Prints the current value with its source, and the other value, if the two logbooks differ. */
static void report_choice(const struct invocation *invocation, const char *name,
                          const struct text values[2], struct text present)
{
    if (text_equals(values[0], values[1]))
        return;
    const bool kept = text_equals(present, values[0]);
    output_write(stdout, "%s: %s, %s; %s: %s\n", name, show_value(invocation, present),
                 kept ? "kept from the previous logbook" : "from the backup",
                 kept ? "in the backup" : "in the previous logbook",
                 show_value(invocation, values[kept ? 1 : 0]));
}

static void report_choices(struct invocation *invocation, const struct restored *restored,
                           bool uploads)
{
    const struct restored_side *old = &restored->old, *backup = &restored->backup;
    const struct club present = club_read(invocation);
    if (!old->is_known || !backup->is_known)
        return;
    for (int i = 0; i < CLUB_FIELDS; i++)
        report_choice(invocation, club_fields[i].name,
                      (struct text[]){old->club.values[i], backup->club.values[i]},
                      present.values[i]);
    report_choice(invocation, "uploads",
                  (struct text[]){text_of(old->uploads ? "on" : "off"),
                                  text_of(backup->uploads ? "on" : "off")},
                  text_of(uploads ? "on" : "off"));
}

void restore_report_print(struct invocation *invocation, const struct restored *restored)
{
    struct logbook_status status;
    output_write(stdout, "the backup: %s\nthe previous logbook: %s\n",
                 describe(invocation, &restored->backup), describe(invocation, &restored->old));
    if (restored->kept)
        output_write(stdout, "the previous logbook is kept as %s\n", restored->kept);
    if (restored->deleted_members)
        command_warn("left out members who were deleted after the backup: %lld",
                     (long long)restored->deleted_members);
    logbook_open(invocation, invocation->database, OPEN_EXISTING);
    store_review_all(invocation->store);
    activity_note(invocation, "restore", (struct text){0}, invocation->arguments[0], NULL);
    command_require_done(store_read_status(invocation->store, &status));
    report_content(&status);
    report_choices(invocation, restored, status.uploads);
    report_files(invocation->database);
    if (status.members && !status.passwords)
        output_write(
            stdout,
            "no member has a password; invite each member with qsosync-admin member invite\n");
}

void restore_report_print_log(const struct restored_log *log)
{
    output_write(stdout, "restored %lld\nchanged back %lld\ndeleted %lld\nunchanged %lld\n",
                 (long long)log->restored, (long long)log->changed_back, (long long)log->deleted,
                 (long long)log->unchanged);
    if (log->left)
        output_write(stdout, "skipped, because another member now has the clientId: %lld\n",
                     (long long)log->left);
    if (log->damaged)
        output_write(stdout, "skipped, because they are damaged in the backup: %lld\n",
                     (long long)log->damaged);
    if (log->without_fields)
        output_write(stdout,
                     "restored without extra fields, because the member's storage is full: %lld\n",
                     (long long)log->without_fields);
    if (log->kept)
        output_write(stdout, "a copy of the previous logbook is kept as %s\n", log->kept);
}
