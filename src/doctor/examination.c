/* Holds what the checks of a logbook share: its path, its folder, the user of its workers, and the
 * commands that an operator pastes. None of them is run here, and none deletes a file, or changes
 * one that is not ours. When which one is advised is left to the checks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/datetime.h"
#include "base/folder.h"
#include "doctor/machine.h"
#include "installation.h"
#include "recovery/backup.h"
#include "store/club.h"

#define BACKUP_TIMER "qsosync-backup.timer"

static void find_folder(struct examination *seen)
{
    snprintf(seen->folder, sizeof seen->folder, "%s", seen->path);
    char *slash = strrchr(seen->folder, '/');
    if (!slash)
        strcpy(seen->folder, ".");
    else
        slash[slash == seen->folder] = '\0';
}

void examination_begin(struct examination *seen, struct doctor *doctor, struct findings *findings)
{
    char *real = realpath(doctor->database, NULL);
    const char *path = real ? real : doctor->database;
    *seen = (struct examination){
        .doctor = doctor, .findings = findings, .path = arena_print(doctor->arena, "%s", path)};
    free(real);
    seen->quoted = shell_quote(doctor->arena, seen->path);
    find_folder(seen);
    if (doctor->is_worker) {
        seen->workers.runs_as.user = geteuid();
        seen->workers.name = workers_user_name(doctor->arena, geteuid());
    } else {
        check_workers_find_user(doctor, seen->folder, &seen->workers);
    }
}

const char *examination_as(const struct examination *seen, uid_t user)
{
    struct arena *arena = seen->doctor->arena;
    return user == 0 ? ""
                     : arena_print(arena, "runuser -u %s -- ",
                                   shell_quote(arena, workers_user_name(arena, user)));
}

const char *examination_fix_by_init(const struct examination *seen)
{
    struct arena *arena = seen->doctor->arena;
    return arena_print(arena, "runuser -u %s -- qsosync-admin --db %s init",
                       shell_quote(arena, seen->workers.name), seen->quoted);
}

const char *examination_fix_by_doctor(const struct examination *seen)
{
    return arena_print(seen->doctor->arena, "qsosync-admin --db %s doctor", seen->quoted);
}

static bool find_backup(const struct examination *seen, struct backup_note *note)
{
    return store_find_backup_note(seen->path, seen->doctor->arena, note) == STORE_DONE;
}

const char *examination_fix_for_none(const struct examination *seen)
{
    struct backup_note note;
    return find_backup(seen, &note)
               ? arena_print(seen->doctor->arena,
                             "look where it is now, for there was one, with the backup %s - if "
                             "it is lost, man qsosync-admin says more under RESTORING",
                             note.path.bytes)
               : examination_fix_by_init(seen);
}

const char *examination_fix_for_damage(const struct examination *seen)
{
    struct backup_note note;
    struct arena *arena = seen->doctor->arena;
    bool known = find_backup(seen, &note) && access(note.path.bytes, R_OK) == 0 &&
                 !folder_has_no_file(note.path.bytes);
    return known ? arena_print(arena, "qsosync-admin --db %s restore %s", seen->quoted,
                               shell_quote(arena, note.path.bytes))
                 : "look for a backup of this logbook, which restore puts in its place";
}

const char *examination_tell_loss(const struct examination *seen)
{
    struct backup_note note;
    char time[DATETIME_TEXT_LENGTH];
    if (!find_backup(seen, &note))
        return "";
    datetime_format(note.made_at_ms, time);
    return arena_print(seen->doctor->arena,
                       "; restore goes back to the backup of %.16sZ, and what was saved later is "
                       "lost",
                       time);
}

const char *examination_fix_for_backups(const struct examination *seen)
{
    struct arena *arena = seen->doctor->arena;
    const char *folder = shell_quote(arena, arena_print(arena, "%s/backups", seen->folder));
    if (strcmp(seen->doctor->database, QSOSYNC_DEFAULT_DB) == 0 &&
        access("/run/systemd/system", F_OK) == 0)
        return arena_print(
            arena,
            "%ssystemctl enable --now " BACKUP_TIMER " && systemctl start qsosync-backup.service",
            check_units_has(arena, BACKUP_TIMER)
                ? ""
                : "cp " QSOSYNC_SHARED_FILES "/service/qsosync-backup.* /etc/systemd/system/ && ");
    return arena_print(
        arena, "install -d -m 750 -o %s %s && qsosync-admin --db %s backup --to %s --keep 30",
        shell_quote(arena, seen->workers.name), folder, seen->quoted, folder);
}

#define SETTING "QSOSYNC_ADDRESS"

static const char *find_setting(struct doctor *doctor)
{
    struct unit unit;
    const char *set = getenv(SETTING);
    if (set || doctor->is_worker)
        return set ? set : "";
    units_read(doctor->arena, "qsosync-site.service", &unit);
    set = units_variable(&unit, SETTING);
    return set ? set : "";
}

bool own_address_read(struct doctor *doctor, struct text *out)
{
    struct club club;
    if (!doctor->store || store_read_club(doctor->store, doctor->arena, &club) != STORE_DONE)
        return false;
    *out = club.values[CLUB_ADDRESS];
    if (out->length == 0) {
        *out = text_of(arena_print(doctor->arena, "%s", find_setting(doctor)));
        club_judge(CLUB_ADDRESS, out); /* takes off the end that the setting may have */
    }
    return true;
}

const char *own_address_fix(struct doctor *doctor, const char *address)
{
    struct arena *arena = doctor->arena;
    const char *database =
        strcmp(doctor->database, QSOSYNC_DEFAULT_DB) == 0
            ? ""
            : arena_print(arena, "--db %s ", shell_quote(arena, doctor->database));
    return arena_print(arena, "qsosync-admin %sclub set --address %s", database,
                       shell_quote(arena, address));
}
