/* Begins an examination of a logbook, and finds data that several checks need: the workers' user,
 * the newest backup, the service's address, and commands to paste. The checks decide what to
 * report. */
#include "doctor/examination.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/datetime.h"
#include "base/folder.h"
#include "base/log.h"
#include "recovery/backup.h"
#include "recovery/backup_note.h"
#include "doctor/units.h"
#include "recovery/backups.h"
#include "store/club/club.h"
#include "worker/instance.h"

#define BACKUPS "/var/backups/qsosync" /* the folder that the shipped timer uses */

/* Finds the user of the workers, which is the user of the unit that serves this logbook. Without
 * such a unit, the owner of the folder counts or, if root owns the folder, the owner of the
 * logbook. */
static void find_user(struct examination *seen)
{
    struct stat status;
    const struct unit *unit = units_read(seen->arena, "qsosync.service");
    if (units_use_logbook(unit, seen->path) && unit->user &&
        users_find(seen->arena, unit->user, &seen->workers))
        return;
    uid_t owner = stat(seen->folder, &status) == 0 ? status.st_uid : geteuid();
    if (owner == 0 && stat(seen->path, &status) == 0)
        owner = status.st_uid;
    const char *name = users_name(seen->arena, owner);
    if (!users_find(seen->arena, name, &seen->workers))
        seen->workers = (struct user){.id = owner, .name = name};
}

void examination_begin(struct examination *seen, struct doctor *doctor)
{
    char *real = realpath(doctor->database, NULL);
    *seen = (struct examination){.doctor = doctor, .arena = doctor->arena};
    log_keep_first(seen->said);
    seen->path = print(seen, "%s", real ? real : doctor->database);
    free(real);
    seen->quoted = quote(seen, seen->path);
    char *folder = print(seen, "%s", folder_of(seen->path, seen->arena));
    if (folder[1])
        folder[strlen(folder) - 1] = '\0';
    seen->folder = folder;
    if (doctor->is_worker)
        seen->workers = (struct user){.id = geteuid(), .name = users_name(seen->arena, geteuid())};
    else
        find_user(seen);
}

const char *examination_option(struct examination *seen)
{
    const char *database = seen->doctor->database;
    return strcmp(database, instance_database(seen->arena)) == 0
               ? ""
               : print(seen, "--db %s ", quote(seen, database));
}

const char *examination_as(struct examination *seen, uid_t user)
{
    return user == 0 ? ""
                     : print(seen, "runuser -u %s -- ", quote(seen, users_name(seen->arena, user)));
}

const char *examination_fix_for_other(struct examination *seen, const char *path)
{
    return print(seen, "qsosync-admin --db %s doctor", quote(seen, path));
}

struct known_backup {
    const char *arguments; /* arguments for restore, quoted for a shell */
    int64_t made_at_ms;
};

/* Finds the recorded backup, and reads it as the owner of its folder. */
static bool find_recorded(struct examination *seen, struct known_backup *out)
{
    struct stat file;
    struct backup_note note;
    struct folder_ids before;
    if (backup_note_read(seen->path, seen->arena, &note) != STORE_DONE ||
        !folder_act_as_owner(note.path.bytes, &before))
        return false;
    const bool is_whole = stat(note.path.bytes, &file) == 0 && S_ISREG(file.st_mode) &&
                          !backup_is_cut_short(note.path.bytes);
    folder_act_as(before);
    if (is_whole)
        *out = (struct known_backup){quote(seen, note.path.bytes), (int64_t)file.st_mtime * 1000};
    return is_whole;
}

static bool find_in_folder(struct examination *seen, struct known_backup *out)
{
    size_t count;
    struct folder_ids before;
    const char *club = instance_name();
    const char *folder = print(seen, BACKUPS "%s%s", club ? "-" : "", club ? club : "");
    if (*examination_option(seen) || !folder_act_as_owner(folder, &before))
        return false;
    const struct backup_file *files = backups_list(folder, seen->arena, &count);
    const struct backup_file *newest = backups_find_newest(files, count);
    folder_act_as(before);
    if (newest)
        *out = (struct known_backup){print(seen, "--newest %s", folder), newest->made_ms};
    return newest;
}

const char *examination_restore(struct examination *seen, const char **what)
{
    struct known_backup backup;
    char time[DATETIME_TEXT_LENGTH];
    if (!find_recorded(seen, &backup) && !find_in_folder(seen, &backup))
        return NULL;
    datetime_format(backup.made_at_ms, time);
    *what = print(seen,
                  "%s; restore returns to the backup of %.16sZ, and everything saved later is lost",
                  *what, time);
    return print(seen, "qsosync-admin --db %s restore %s", seen->quoted, backup.arguments);
}

/* Reads the address from the logbook, or else from QSOSYNC_ADDRESS. src/site/shared/club.c uses the
 * same order. */
bool examination_read_address(struct examination *seen, struct text *out)
{
    struct club club;
    const char *set = getenv("QSOSYNC_ADDRESS");
    if (!seen->doctor->store ||
        store_read_club(seen->doctor->store, seen->arena, &club) != STORE_DONE)
        return false;
    *out = club.values[CLUB_ADDRESS];
    if (!set && !seen->doctor->is_worker)
        set = units_value(units_read(seen->arena, "qsosync-site.service"), "QSOSYNC_ADDRESS=");
    if (out->length == 0) {
        *out = text_of(set ? set : "");
        club_check_value(CLUB_ADDRESS, out); /* removes /api/v1 and slashes at the end */
    }
    return true;
}

struct folder_ids examination_regain_rights(void)
{
    const struct folder_ids before = {geteuid(), getegid()};
    if (getuid() == 0)
        folder_act_as((struct folder_ids){0, 0});
    return before;
}
