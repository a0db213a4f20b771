/* A spot is looked up at the very moment when it is to be sent, so that one that was deleted
 * meanwhile is never sent; and its id only grows, so that none is sent twice.
 *
 * Every write of the logbook goes through its write-ahead log. A look at that file's time and size
 * costs nothing beside a query. The file changes before its transaction can be seen, by as long as
 * the disk needs, so for some seconds after a change each look is a query. */
#include "feed/follow.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define LOOK_AGAIN_MS 10000 /* whatever the log's time says */
#define COMMIT_WAIT_MS 5000 /* a transaction may be on its way so long */

/* -- The logbook ------------------------------------------------------------------------------- */

static bool take_id(void *context, const struct spot *spot)
{
    *(int64_t *)context = spot->id;
    return false;
}

static bool open_store(struct follow *follow)
{
    return store_open(follow->path, STORE_FOLLOW_SPOTS, &follow->store) == STORE_DONE;
}

bool follow_open(struct follow *follow, const char *path)
{
    *follow = (struct follow){.path = path};
    return open_store(follow) &&
           store_list_spots(follow->store, take_id, &follow->last_id) == STORE_DONE;
}

void follow_close(struct follow *follow)
{
    store_close(follow->store);
    follow->store = NULL;
}

static bool is_ready(struct follow *follow)
{
    return follow->store || open_store(follow);
}

static bool log_has_changed(struct follow *follow)
{
    char path[4096];
    struct stat status;
    if (snprintf(path, sizeof path, "%s-wal", follow->path) >= (int)sizeof path ||
        stat(path, &status) != 0)
        memset(&status, 0, sizeof status);
    bool same = status.st_ino == follow->log_inode && status.st_size == follow->log_bytes &&
                status.st_mtim.tv_sec == follow->log_changed.tv_sec &&
                status.st_mtim.tv_nsec == follow->log_changed.tv_nsec;
    follow->log_inode = status.st_ino;
    follow->log_bytes = status.st_size;
    follow->log_changed = status.st_mtim;
    return !same;
}

bool follow_has_news(struct follow *follow, int64_t now_ms)
{
    ino_t inode = follow->log_inode;
    bool changed = log_has_changed(follow);
    bool is_due = now_ms - follow->looked_ms >= LOOK_AGAIN_MS;
    /* A restored logbook may be another file; ids go on rising in it. */
    if ((is_due || inode != follow->log_inode) && follow->store && !store_is_current(follow->store))
        follow_close(follow);
    if (changed)
        follow->noticed_ms = now_ms;
    bool news = now_ms - follow->noticed_ms < COMMIT_WAIT_MS || is_due;
    if (news)
        follow->looked_ms = now_ms;
    return news;
}

/* -- The next spot ----------------------------------------------------------------------------- */

struct search {
    struct follow *follow;
    const struct filter *filter;
    char *line;
    bool found, more;
};

static bool take_next(void *context, const struct spot *spot)
{
    struct search *search = context;
    search->more = search->found;
    if (search->found)
        return false;
    search->follow->last_id = spot->id;
    search->found = filter_passes(search->filter, spot) && spot_format_line(spot, search->line);
    return true;
}

bool follow_next(struct follow *follow, const struct filter *filter,
                 char line[SPOT_LINE_LENGTH + 1], bool *more)
{
    struct search search = {.follow = follow, .filter = filter, .line = line};
    *more = false;
    if (!is_ready(follow) ||
        store_list_spots_after(follow->store, follow->last_id, take_next, &search) != STORE_DONE)
        return false;
    *more = search.more;
    return search.found;
}

/* -- Spots that were ----------------------------------------------------------------------------*/

struct newest {
    const struct filter *filter;
    int64_t *ids;
    int count, wanted;
};

static bool take_newest(void *context, const struct spot *spot)
{
    struct newest *newest = context;
    char line[SPOT_LINE_LENGTH + 1];
    if (filter_passes(newest->filter, spot) && spot_format_line(spot, line))
        newest->ids[newest->count++] = spot->id;
    return newest->count < newest->wanted;
}

int follow_newest(struct follow *follow, const struct filter *filter, int64_t *out, int wanted)
{
    struct newest newest = {.filter = filter, .ids = out, .wanted = wanted};
    if (is_ready(follow))
        store_list_spots(follow->store, take_newest, &newest);
    return newest.count;
}

struct one {
    int64_t id;
    bool as_line, found;
    char *out;
};

static bool take_one(void *context, const struct spot *spot)
{
    struct one *one = context;
    if (spot->id == one->id)
        one->found =
            one->as_line ? spot_format_line(spot, one->out) : spot_format_row(spot, one->out);
    return false;
}

bool follow_format(struct follow *follow, int64_t id, bool as_line, char out[SPOT_ROW_LENGTH + 1])
{
    struct one one = {.id = id, .as_line = as_line, .out = out};
    return is_ready(follow) &&
           store_list_spots_after(follow->store, id - 1, take_one, &one) == STORE_DONE && one.found;
}
