/* Creates, finds and removes trials. A file is old if its name says so, whatever its content is.
 * Files that SQLite or a killed process left behind are thus removed like any others. */
#include "worker/trial.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/folder.h"
#include "base/format.h"
#include "base/log.h"
#include "base/text_hex.h"
#include "store/club/club.h"
#include "store/log/logbook.h"

#define MARK "-sandbox-"
#define TIME_DIGITS 13
#define FINGERPRINT_BYTES 8 /* bytes of the fingerprint in a file's name */
#define NAME_LENGTH (TIME_DIGITS + 1 + 2 * FINGERPRINT_BYTES) /* after MARK */
#define LOCK 1024 /* byte of the limit's table; worker/rate_limit.c locks the bytes below */
#define REMOVE_MS 60000

/* The files of all trials: the names in the logbook's folder, from the first name that begins with
 * `beginning`. */
struct files {
    const char *folder, *beginning;
    const char **names;
};

static bool find_files(const char *logbook_path, struct arena *arena, struct files *files)
{
    char path[PATH_MAX];
    if (!folder_path_beside(logbook_path, MARK, path))
        return false;
    files->folder = folder_of(path, arena);
    const char *slash = strrchr(path, '/');
    files->beginning = arena_print(arena, "%s", slash ? slash + 1 : path);
    files->names = folder_list(files->folder, arena);
    return true;
}

/* Returns the part of a file's name after MARK, or NULL if the file does not belong to a trial.
 * Sets *created_ms to the time in the name. */
static const char *read_name(const struct files *files, const char *name, int64_t *created_ms)
{
    const size_t length = strlen(files->beginning);
    if (strncmp(name, files->beginning, length) != 0 || strlen(name + length) < NAME_LENGTH ||
        !text_parse_integer((struct text){name + length, TIME_DIGITS}, 0, INT64_MAX, created_ms))
        return NULL;
    return name + length;
}

static bool is_old(int64_t created_ms, int64_t now_ms)
{
    return now_ms - created_ms >= TRIAL_MS || created_ms - now_ms >= TRIAL_MS;
}

/* Removes old files, or all files of trials. Returns the number of trials that are left. */
static int remove_files(const struct files *files, int64_t now_ms, bool all, struct arena *arena)
{
    int left = 0;
    int64_t created_ms;
    for (const char **name = files->names; *name; name++) {
        const char *rest = read_name(files, *name, &created_ms);
        if (!rest)
            continue;
        if (!all && !is_old(created_ms, now_ms)) {
            left += strlen(rest) == NAME_LENGTH;
            continue;
        }
        const char *path = arena_print(arena, "%s%s", files->folder, *name);
        if (unlink(path) != 0 && errno != ENOENT)
            log_line("%s: cannot remove an old sandbox: %s", path, strerror(errno));
    }
    return left;
}

static void write_fingerprint(struct text key, char out[2 * FINGERPRINT_BYTES + 1])
{
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    api_key_fingerprint(key, fingerprint);
    text_format_hex(fingerprint, FINGERPRINT_BYTES, out);
    out[2 * FINGERPRINT_BYTES] = '\0';
}

/* Fills a new logbook with the member and the key. */
static enum store_result fill(const char *path, const char *key)
{
    static const struct member member = {.callsign = {TRIAL_CALLSIGN, sizeof TRIAL_CALLSIGN - 1},
                                         .locator = {TRIAL_LOCATOR, sizeof TRIAL_LOCATOR - 1},
                                         .login = {"sandbox", sizeof "sandbox" - 1}};
    static const struct key wanted = {.name = {"sandbox", sizeof "sandbox" - 1},
                                      .scope = SCOPE_WRITE};
    struct store *store = NULL;
    struct arena arena = {0};
    struct member added;
    int64_t number;
    enum store_result result = store_open(path, OPEN_OR_CREATE, &store);
    THEN(result, store_add_member(store, &member));
    THEN(result, store_find_member(store, &arena, member.callsign, &added));
    THEN(result, store_add_key(store, added.id, &wanted, key, &number));
    store_close(store);
    arena_free(&arena);
    return result;
}

/* Creates the trial's file, unless too many trials exist. The caller holds the lock. */
static enum store_result create(const char *logbook_path, int64_t now_ms, struct arena *arena,
                                const char *key)
{
    char fingerprint[2 * FINGERPRINT_BYTES + 1];
    struct files files;
    if (!find_files(logbook_path, arena, &files))
        return STORE_BROKEN;
    if (remove_files(&files, now_ms, false, arena) >= TRIALS_MAX)
        return STORE_REFUSED;
    write_fingerprint(text_of(key), fingerprint);
    const char *path = arena_print(arena, "%s%s%0*lld-%s", files.folder, files.beginning,
                                   TIME_DIGITS, (long long)now_ms, fingerprint);
    return fill(path, key);
}

enum store_result trial_create(const char *logbook_path, const struct shared_file *table,
                               int64_t now_ms, struct arena *arena, char key[API_KEY_LENGTH + 1])
{
    while (!shared_file_wait_lock(table, LOCK))
        if (errno != EINTR)
            return STORE_BROKEN;
    api_key_make_trial(key);
    const enum store_result result = create(logbook_path, now_ms, arena, key);
    shared_file_unlock(table, LOCK);
    return result;
}

static bool allows_trials(struct store *store, struct arena *arena)
{
    struct club club;
    return store_read_club(store, arena, &club) == STORE_DONE && club_allows_trials(&club);
}

static int64_t count_bytes(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 ? status.st_size : 0;
}

/* Returns the path of the trial with this key, or NULL if there is no such trial. */
static const char *find(const char *logbook_path, struct text key, int64_t now_ms,
                        struct arena *arena)
{
    char fingerprint[2 * FINGERPRINT_BYTES + 1];
    struct files files;
    int64_t created_ms;
    if (!find_files(logbook_path, arena, &files))
        return NULL;
    write_fingerprint(key, fingerprint);
    for (const char **name = files.names; *name; name++) {
        const char *rest = read_name(&files, *name, &created_ms);
        if (rest && strcmp(rest + TIME_DIGITS + 1, fingerprint) == 0 && !is_old(created_ms, now_ms))
            return arena_print(arena, "%s%s", files.folder, *name);
    }
    return NULL;
}

void trial_enter(struct exchange *exchange, const char *logbook_path)
{
    struct arena *arena = exchange->arena;
    const struct request *request = exchange->request;
    struct store *trial;
    if (!exchange->store || !request->key.bytes || !api_key_is_of_trial(request->key) ||
        !allows_trials(exchange->store, arena))
        return;
    const char *path = find(logbook_path, request->key, request->arrived_ms, arena);
    if (!path || store_open(path, OPEN_BRIEFLY, &trial) != STORE_DONE)
        return;
    exchange->store = trial;
    exchange->is_trial = true;
    exchange->is_full =
        count_bytes(path) + count_bytes(arena_print(arena, "%s-wal", path)) > TRIAL_BYTES_MAX;
}

void trial_remove_old(struct store *store, const char *logbook_path, struct arena *arena)
{
    static int64_t again_ms;
    const int64_t now_ms = clock_monotonic_ms();
    struct files files;
    if (!store || now_ms < again_ms || !find_files(logbook_path, arena, &files))
        return;
    again_ms = now_ms + REMOVE_MS;
    if (remove_files(&files, clock_wall_ms(), false, arena) > 0 && !allows_trials(store, arena))
        remove_files(&files, 0, true, arena);
}
