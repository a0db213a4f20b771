/* Commands that an operator pastes. None of them is run here. */
#include "admin/examination.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "installation.h"

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

void examination_begin(struct examination *seen, struct invocation *invocation,
                       struct findings *findings)
{
    char *real = realpath(invocation->database, NULL);
    const char *path = real ? real : invocation->database;
    *seen = (struct examination){.invocation = invocation,
                                 .findings = findings,
                                 .path = arena_print(invocation->arena, "%s", path)};
    free(real);
    seen->quoted = command_quote(invocation->arena, seen->path);
    find_folder(seen);
    doctor_find_workers(invocation, seen->folder, &seen->workers);
}

const char *examination_fix_by_init(const struct examination *seen)
{
    return arena_print(seen->invocation->arena, "runuser -u %s -- qsosync-admin --db %s init",
                       seen->workers.name, seen->quoted);
}

const char *examination_fix_by_restoring(const struct examination *seen)
{
    struct backup_note note;
    struct arena *arena = seen->invocation->arena;
    bool known = store_find_backup_note(seen->path, arena, &note) == STORE_DONE &&
                 access(note.path.bytes, R_OK) == 0;
    return arena_print(arena, "qsosync-admin --db %s restore %s", seen->quoted,
                       known ? command_quote(arena, note.path.bytes) : "BACKUP");
}

const char *examination_fix_by_moving_aside(const struct examination *seen)
{
    struct backup_note note;
    struct arena *arena = seen->invocation->arena;
    bool known = store_find_backup_note(seen->path, arena, &note) == STORE_DONE;
    return arena_print(arena,
                       "for f in '' -wal -shm; do [ ! -e %s$f ] || mv %s$f %s.aside$f; done; %s",
                       seen->quoted, seen->quoted, seen->quoted,
                       known ? examination_fix_by_restoring(seen) : examination_fix_by_init(seen));
}

const char *examination_fix_for_damage(const struct examination *seen)
{
    return arena_print(seen->invocation->arena,
                       "%s || { systemctl stop qsosync.service; %s; systemctl start "
                       "qsosync.service; }",
                       examination_fix_by_restoring(seen), examination_fix_by_moving_aside(seen));
}

const char *examination_fix_by_ending(const struct examination *seen, const char *suffix)
{
    return arena_print(seen->invocation->arena,
                       "systemctl restart qsosync.service; fuser -k -TERM %s%s; %s", seen->quoted,
                       suffix, examination_fix_by_init(seen));
}

const char *examination_fix_for_backups(const struct examination *seen)
{
    const char *folder = command_quote(
        seen->invocation->arena, arena_print(seen->invocation->arena, "%s/backups", seen->folder));
    if (strcmp(seen->invocation->database, QSOSYNC_DEFAULT_DB) == 0 &&
        access("/run/systemd/system", F_OK) == 0)
        return arena_print(
            seen->invocation->arena,
            "%ssystemctl enable --now " BACKUP_TIMER " && systemctl start qsosync-backup.service",
            doctor_workers_has_unit(seen->invocation->arena, BACKUP_TIMER)
                ? ""
                : "cp " QSOSYNC_SHARED_FILES "/service/qsosync-backup.* /etc/systemd/system/ && ");
    return arena_print(
        seen->invocation->arena,
        "install -d -m 750 -o %s %s && qsosync-admin --db %s backup --to %s --keep 30",
        seen->workers.name, folder, seen->quoted, folder);
}
