/* Checks the logbook itself: opens it, and examines its write-ahead log, stamps, backups, content,
 * peers and address. A worker may check its own logbook. It reads no other program's files, and
 * neither opens nor closes those of the logbook, which would release the locks of its process
 * (fcntl(2)). Commands for the operator to paste are not run here. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/datetime.h"
#include "base/folder.h"
#include "base/log.h"
#include "doctor/checks.h"
#include "installation.h"
#include "recovery/backup.h"
#include "recovery/backup_note.h"
#include "recovery/check.h"
#include "store/ageing.h"
#include "store/club/peers.h"
#include "store/storage.h"
#include "worker/settings.h"

#define LOG_BYTES_LARGE (64 << 20)          /* workers shorten it at 16 MB at the latest */
#define CHECKED_BYTES_MAX (512 << 20)       /* a whole check of a larger one takes long */
#define WORKER_CHECKED_BYTES_MAX (16 << 20) /* a request has a second or two, not a minute */
#define CLOCK_AHEAD_MS 60000
#define BACKUP_DAYS_MAX 2
#define PEERS_SILENT_MS DATETIME_DAY_MS

/* -- Write-ahead log and stamps ---------------------------------------------------------------- */

/* Stamps that were confirmed may be ahead of the clock. */
static void look_at_clock(struct examination *seen, const struct ageing *ageing)
{
    const int64_t now_ms = clock_wall_ms(), ahead_ms = ageing->last_stamp_ms - now_ms;
    const bool is_confirmed = ageing->last_stamp_ms - ageing->confirmed_ms <= AGEING_APART_MS;
    const char *fix = seen->doctor->is_worker
                          ? examination_fix_for_other(seen, seen->path)
                          : print(seen, CLOCK_DOUBTED_FIX, workers_command(seen, "clock confirm"));
    char time[DATETIME_TEXT_LENGTH], until[DATETIME_TEXT_LENGTH];
    datetime_format(ageing->doubted_ms, time);
    datetime_format(ageing->doubted_ms + AGEING_DOUBT_MS, until);
    if (ahead_ms > AGEING_APART_MS && !is_confirmed)
        found_with(seen, CLOCK_FELL_BACK, fix, (long long)(ahead_ms / DATETIME_DAY_MS));
    else if (ageing->doubted_ms && now_ms - ageing->doubted_ms < AGEING_DOUBT_MS)
        found_with(seen, CLOCK_DOUBTED, fix, time, until);
    else if (ahead_ms > CLOCK_AHEAD_MS && !is_confirmed)
        found(seen, CLOCK_SET_BACK, (long long)(ahead_ms / 1000));
}

static void look_at_numbers(struct examination *seen, const struct logbook_status *status)
{
    struct ageing ageing;
    found(seen, SCHEMA_PRESENT, (long long)status->schema_version);
    if (status->log_bytes > LOG_BYTES_LARGE) /* the next write shortens it, as init does */
        found_with(seen, LOG_GROWS,
                   seen->doctor->is_worker ? examination_fix_for_other(seen, seen->path)
                                           : workers_command(seen, "init"),
                   (long long)(status->log_bytes >> 20));
    else
        found(seen, LOG_SHORT, (long long)(status->log_bytes >> 10));
    if (store_read_ageing(seen->doctor->store, &ageing) == STORE_DONE)
        look_at_clock(seen, &ageing);
    if (status->active_members > 0 && status->operators == 0)
        found(seen, OPERATORS_NONE);
}

/* -- Damage and backups ------------------------------------------------------------------------ */

/* One finding of damage, which a restore repairs. */
static void report_damage(struct examination *seen, const char *check, const char *what)
{
    const char *fix = seen->doctor->is_worker ? examination_fix_for_other(seen, seen->path)
                                              : examination_restore(seen, &what);
    if (!fix)
        fix = "look for a backup of this logbook; see RESTORING in qsosync-backup(7)";
    trouble(seen, check, fix, "%s", what);
}

/* A logbook with a problem is not backed up (src/admin/backup.c), so that no line would help. */
static void look_at_backups(struct examination *seen, bool has_problem)
{
    struct backup_note note;
    /* The shipped timer, if it fits; otherwise one backup, for a timetable of one's own. */
    const char *folder = quote(seen, print(seen, "%s/backups", seen->folder));
    const char *fix = workers_fix_by_timer(
        seen, "qsosync-backup",
        print(seen, "install -d -m 750 -o %s %s && qsosync-admin --db %s backup --to %s --thin",
              quote(seen, seen->workers.name), folder, seen->quoted, folder));
    if (has_problem)
        fix = "repair the logbook first; until then no backups are made";
    if (backup_note_read(seen->path, seen->arena, &note) != STORE_DONE) {
        found_with(seen, BACKUP_MISSING, fix);
        return;
    }
    long long minutes = (clock_wall_ms() - note.handed_at_ms) / DATETIME_MINUTE_MS;
    if (note.failure.length > 0)
        found(seen, BACKUP_NOT_HANDED_ON, (int)note.failure.length, note.failure.bytes,
              note.handed_at_ms ? print(seen, "%lld minutes ago", minutes) : "none");
    long long days = (clock_wall_ms() - note.made_at_ms) / DATETIME_DAY_MS;
    bool is_gone = access(note.path.bytes, F_OK) != 0 && errno == ENOENT;
    if (is_gone || backup_is_cut_short(note.path.bytes))
        found_with(seen, BACKUP_GONE, fix, note.path.bytes, is_gone ? "gone" : "incomplete", days);
    else
        found_at(seen, days >= BACKUP_DAYS_MAX ? FINDING_WARNING : FINDING_OK, BACKUP_AGE, fix,
                 note.path.bytes, days);
}

/* -- Content ----------------------------------------------------------------------------------- */

/* A restore repairs only damage. For faults of a disk, a right or a lock, it would lose QSOs for
 * nothing. */
static void report_failure(struct examination *seen, const char *check, const char *what)
{
    if (store_has_found_damage())
        report_damage(seen, check, what);
    else
        trouble(seen, check, "journalctl -k -p warning -n 30",
                "%s; the logbook itself may be intact; see the system log", what);
}

/* Tells if there is a problem. One line for all: they are likely to have one cause. */
static bool look_for_problems(struct examination *seen)
{
    struct check_result problems, remarks;
    if (seen->file.st_size >
        (seen->doctor->is_worker ? WORKER_CHECKED_BYTES_MAX : CHECKED_BYTES_MAX)) {
        found(seen, CONTENT_LARGE);
        return false;
    }
    log_keep_first(seen->said);
    enum store_result result = store_check(seen->doctor->store, NULL, NULL, &problems);
    const char *more = problems.count > 1
                           ? print(seen, ", and %lld more problems", (long long)problems.count - 1)
                           : "";
    if (problems.count && store_has_found_damage())
        report_damage(seen, "content", print(seen, "%s%s", problems.first, more));
    else if (problems.count)
        found(seen, CONTENT_BREAKS_RULE, problems.first, more);
    else if (result != STORE_DONE)
        report_failure(seen, "content",
                       print(seen, "the logbook cannot be read completely: %s", seen->said));
    else if (store_list_remarks(seen->doctor->store, NULL, NULL, &remarks) == STORE_DONE &&
             remarks.count)
        found_with(seen, CONTENT_REMARK, print(seen, CONTENT_REMARK_FIX, seen->quoted),
                   remarks.first);
    else
        found(seen, CONTENT_RIGHT);
    return problems.count || result != STORE_DONE;
}

/* -- What members have in addition to QSOs ----------------------------------------------------- */

#define STORAGE_FULL_PERCENT 90
#define STORAGE_MEMBERS_MAX 50000

struct storage_seen {
    struct examination *seen;
    int64_t max;
    /* "CALLSIGN" of the members who use most storage, with and without history */
    const char *most, *full;
    struct storage of_most, of_full;
};

static int64_t kept_of(const struct storage *storage)
{
    return storage_sum(storage) - storage->history;
}

static void take_storage(void *context, struct text callsign, const struct storage *storage)
{
    struct storage_seen *it = context;
    const char *name = print(it->seen, "%.*s", (int)callsign.length, callsign.bytes);
    if (!it->most) {
        it->most = name;
        it->of_most = *storage;
    }
    if (kept_of(storage) > kept_of(&it->of_full)) {
        it->full = name;
        it->of_full = *storage;
    }
}

static const char *describe_storage(const struct storage_seen *it, const struct storage *storage)
{
    const double mib = 1 << 20;
    return print(it->seen,
                 "%.1f of %.0f MiB (history %.1f, extra fields %.1f, PoLo %.1f, QSL cards %.1f, "
                 "known records %.1f)",
                 (double)storage_sum(storage) / mib, (double)it->max / mib,
                 (double)storage->history / mib, (double)storage->leftovers / mib,
                 (double)storage->polo / mib, (double)storage->cards / mib,
                 (double)storage->known / mib);
}

/* The workers' limit of storage, as far as it is known. */
static int64_t find_storage_max(struct examination *seen)
{
    int64_t mib = settings_number(SETTING_MEMBER_MIB, NULL, NULL);
    if (seen->doctor->is_worker)
        return store_storage_max(seen->doctor->store);
    if (!settings_find(SETTING_MEMBER_MIB, NULL, NULL))
        text_parse_integer(
            text_of(units_value(units_read(seen->arena, "qsosync.service"), "QSOSYNC_MEMBER_MIB=")),
            1, INT32_MAX, &mib);
    return mib << 20;
}

/* History gives way to all else, so that it fills what there is and nobody misses anything. */
static void look_at_storage(struct examination *seen)
{
    struct storage_seen it = {.seen = seen, .max = find_storage_max(seen)};
    if (store_list_storage(seen->doctor->store, STORAGE_MEMBERS_MAX, take_storage, &it) !=
            STORE_DONE ||
        !it.most)
        return;
    if (kept_of(&it.of_full) > it.max / 100 * STORAGE_FULL_PERCENT)
        found(seen, STORAGE_FULL, it.full, describe_storage(&it, &it.of_full));
    else
        found(seen, STORAGE_USED, it.most, describe_storage(&it, &it.of_most));
}

/* -- Other clubs' services --------------------------------------------------------------------- */

/* Uses only the records of the last visits, and asks no peer. */
struct peers_seen {
    struct examination *seen;
    int paired;
    int64_t asked_at_ms; /* the last time that any was */
    const char *failure; /* failure of the first peer that does not answer; NULL: all do */
    const char *waiting; /* the first that is not paired yet; NULL: none */
};

static void take_peer(void *context, const struct peer *peer)
{
    struct peers_seen *peers = context;
    const char *name = print(peers->seen, "%.*s", (int)peer->name.length, peer->name.bytes);
    if (!peer->paired_at_ms) {
        peers->waiting = peers->waiting ? peers->waiting : name;
        return;
    }
    peers->paired++;
    if (peer->asked_at_ms > peers->asked_at_ms)
        peers->asked_at_ms = peer->asked_at_ms;
    if (peer->failure.bytes && !peers->failure)
        peers->failure =
            print(peers->seen, "%s %.*s", name, (int)peer->failure.length, peer->failure.bytes);
}

static void look_at_peers(struct examination *seen)
{
    struct peers_seen peers = {.seen = seen};
    if (store_list_peers(seen->doctor->store, take_peer, &peers) != STORE_DONE)
        return;
    if (peers.paired && clock_wall_ms() - peers.asked_at_ms > PEERS_SILENT_MS)
        found_with(seen, PEERS_NOT_ASKED,
                   workers_fix_by_timer(seen, "qsosync-peers", PEERS_NOT_ASKED_FIX));
    else if (peers.failure)
        found(seen, PEERS_FAIL, peers.failure);
    else if (peers.waiting)
        found(seen, PEERS_WAIT, peers.waiting);
    else if (peers.paired)
        found(seen, PEERS_ANSWER, peers.paired, peers.paired == 1 ? "" : "s");
}

/* -- The service's own address ----------------------------------------------------------------- */

/* The doctor cannot tell here which address is right. */
static void look_at_own_address(struct examination *seen)
{
    struct text own;
    if (!examination_read_address(seen, &own))
        return;
    if (own.length > 0)
        found(seen, ADDRESS_KNOWN, print(seen, "%.*s", (int)own.length, own.bytes));
    else
        found_with(seen, ADDRESS_UNKNOWN,
                   print(seen, ADDRESS_UNKNOWN_FIX, examination_option(seen)));
}

/* -- All of it --------------------------------------------------------------------------------- */

static bool open_logbook(struct examination *seen)
{
    log_keep_first(seen->said);
    enum store_result result = store_open(seen->path, OPEN_READ_ONLY, &seen->doctor->store);
    if (result == STORE_DONE)
        return true;
    if (result == STORE_NONE && seen->file.st_size == 0)
        report_damage(seen, "database", print(seen, "%s is empty", seen->path));
    else if (result == STORE_NEWER)
        found(seen, SCHEMA_NEWER, seen->said);
    else if (result == STORE_NONE || result == STORE_FOREIGN)
        found(seen, DATABASE_FOREIGN, seen->path);
    else
        report_failure(seen, "database", *seen->said ? seen->said : "it cannot be opened");
    return false;
}

/* Damage may keep the logbook's numbers from being read; the other checks still run. */
void logbook_check_content(struct examination *seen)
{
    struct logbook_status status;
    found(seen, DATABASE_RIGHT, seen->path);
    enum store_result result = store_read_status(seen->doctor->store, &status);
    if (result == STORE_DONE)
        look_at_numbers(seen, &status);
    look_at_backups(seen, look_for_problems(seen));
    if (result == STORE_DONE) {
        look_at_storage(seen);
        look_at_peers(seen);
    }
    look_at_own_address(seen);
}

/* Runs as the owner of the files, because others have written them. */
void logbook_check(struct examination *seen)
{
    struct folder_ids before;
    const bool is_acting = folder_act_as_owner(seen->path, &before);
    if (open_logbook(seen))
        logbook_check_content(seen);
    if (is_acting)
        folder_act_as(before);
}
