/* Checks of the last backup, and looks for the one that mends a damaged logbook: the newest that
 * restore would take, which is not always the last that was made. Nothing is restored here, and no
 * backup is changed; when one is to be made is the timer's. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/datetime.h"
#include "base/folder.h"
#include "doctor/machine.h"
#include "recovery/check.h"

#define BACKUP_DAYS_MAX 2
#define BACKUPS_TRIED_MAX 40

/* Enables the shipped timer, where it fits; otherwise makes one backup, for a timetable of one's
 * own. */
static const char *fix_for_backups(struct examination *seen)
{
    const char *folder = quote(seen, print(seen, "%s/backups", seen->folder));
    return units_fix_by_timer(
        seen, "qsosync-backup",
        print(seen, "install -d -m 750 -o %s %s && qsosync-admin --db %s backup --to %s --thin",
              quote(seen, seen->workers.name), folder, seen->quoted, folder));
}

static void ignore_problem(void *context, const char *problem)
{
    (void)context;
    (void)problem;
}

/* Whether it is a backup that restore would take, of the logbook of this identity (NULL: it is not
 * known, and passed over). */
static bool is_ours(const char *path, const unsigned char *identity)
{
    unsigned char found[UUID_BYTES];
    struct store *store = NULL;
    struct folder_ids before;
    int64_t problems = 0;
    if (access(path, R_OK) != 0 || folder_has_no_file(path) || backup_is_cut_short(path))
        return false;
    bool acting = folder_act_as_owner(path, &before);
    bool whole = store_open(path, OPEN_READ_ONLY, &store) == STORE_DONE &&
                 store_read_identity(store, found) &&
                 (!identity || memcmp(found, identity, UUID_BYTES) == 0) &&
                 store_check(store, ignore_problem, NULL, &problems) == STORE_DONE && problems == 0;
    store_close(store);
    if (acting)
        folder_act_as(before);
    return whole;
}

/* As the logbook says it, or where it is too damaged, as the note of its last backup does; NULL:
 * neither can. */
static const unsigned char *find_identity(struct examination *seen, const struct backup_note *note)
{
    static const unsigned char none[UUID_BYTES];
    struct store *store = NULL;
    unsigned char *identity = arena_allocate(seen->arena, UUID_BYTES);
    if (store_open(seen->path, OPEN_READ_ONLY, &store) != STORE_DONE ||
        !store_read_identity(store, identity))
        memcpy(identity, note->identity, UUID_BYTES);
    store_close(store);
    return memcmp(identity, none, UUID_BYTES) == 0 ? NULL : identity;
}

/* The last one, or the newest in its folder that restore would take, which has its time in its
 * name; NULL: there is none. */
static const char *find_backup(struct examination *seen, const struct backup_note *note)
{
    const unsigned char *identity = find_identity(seen, note);
    const char *found = is_ours(note->path.bytes, identity) ? note->path.bytes : NULL;
    if (found || !identity)
        return found;
    const char **paths =
        files_list(seen->arena, folder_of(note->path.bytes, seen->arena), "qsosync-", ".db");
    int count = 0;
    while (paths[count])
        count++;
    for (int i = count - 1; i >= 0 && count - i <= BACKUPS_TRIED_MAX && !found; i--)
        found = is_ours(paths[i], identity) ? paths[i] : NULL;
    return found;
}

/* One finding of damage, which a restore mends. */
void backups_report_damage(struct examination *seen, const char *check, const char *what)
{
    struct stat file;
    struct backup_note note;
    char time[DATETIME_TEXT_LENGTH];
    struct arena *arena = seen->arena;
    bool is_known =
        !seen->doctor->is_worker && store_find_backup_note(seen->path, arena, &note) == STORE_DONE;
    const char *backup = is_known ? find_backup(seen, &note) : NULL;
    const char *fix =
        backup ? print(seen, "qsosync-admin --db %s restore %s", seen->quoted, quote(seen, backup))
        : seen->doctor->is_worker
            ? print(seen, "qsosync-admin --db %s doctor", seen->quoted)
            : "look for a backup of this logbook; man qsosync-admin says more under RESTORING";
    if (is_known && backup != note.path.bytes)
        what = print(seen, "%s; the last backup, %s, is not a complete one of it", what,
                     note.path.bytes);
    if (backup && stat(backup, &file) == 0) {
        datetime_format((int64_t)file.st_mtime * 1000, time);
        what = print(
            seen, "%s; restore goes back to the backup of %.16sZ, and what was saved later is lost",
            what, time);
    }
    trouble(seen, check, fix, "%s", what);
}

/* What restores and put-site have kept holds members who are deleted by now. */
static void look_for_kept(struct examination *seen)
{
    char time[DATETIME_TEXT_LENGTH];
    struct backup_note note = {0};
    store_find_backup_note(seen->path, seen->arena, &note);
    for (struct kept_file *kept = backup_list_kept(seen->path, seen->arena); kept;
         kept = kept->next) {
        datetime_format(kept->made_at_ms + note.keep * DATETIME_DAY_MS, time);
        fine(seen, "kept", "%s was kept %lld days ago, and goes %s%.*s", kept->path,
             (long long)(clock_wall_ms() - kept->made_at_ms) / DATETIME_DAY_MS,
             note.keep > 0 ? "with the first backup after " : "once backups have a --keep",
             note.keep > 0 ? 10 : 0, time);
    }
}

void backups_check(struct examination *seen)
{
    struct backup_note note;
    look_for_kept(seen);
    const char *fix = fix_for_backups(seen);
    if (store_find_backup_note(seen->path, seen->arena, &note) != STORE_DONE) {
        warn(seen, "backup", fix, "there was never a backup");
        return;
    }
    if (note.failure.length > 0)
        warn(seen, "backup", NULL, "the last backup was not handed on: %.*s; the last that was: %s",
             (int)note.failure.length, note.failure.bytes,
             note.handed_at_ms
                 ? print(seen, "%lld minutes ago",
                         (long long)(clock_wall_ms() - note.handed_at_ms) / DATETIME_MINUTE_MS)
                 : "none");
    long long days = (clock_wall_ms() - note.made_at_ms) / DATETIME_DAY_MS;
    bool is_gone = access(note.path.bytes, F_OK) != 0 && errno == ENOENT;
    if (is_gone || backup_is_cut_short(note.path.bytes))
        warn(seen, "backup", fix, "the last backup, %s, is %s (%lld days old)", note.path.bytes,
             is_gone ? "gone" : "not a complete one", days);
    else
        findings_add(seen, days >= BACKUP_DAYS_MAX ? FINDING_WARNING : FINDING_OK, "backup", fix,
                     "the last one is %s, %lld days old", note.path.bytes, days);
}
