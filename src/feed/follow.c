/* Finds the next spot for a client. Deleted spots are never sent, because each spot is read just
 * before it is sent. No live spot is sent twice, because ids only grow.
 *
 * Without new commits, a check costs only a few system calls. */
#include "feed/follow.h"

#include <string.h>

#include "store/log/logbook.h"
#include "store/log/spots.h"

#define LOOK_AGAIN_MS 10000 /* time between two reads without a commit */
#define TRIES_MAX 6         /* immediate retries of a failed read */

bool follow_open(struct follow *follow, const char *path)
{
    *follow = (struct follow){.path = path};
    if (store_open(path, OPEN_TO_FOLLOW, &follow->store) != STORE_DONE)
        return false;
    store_record_commits(follow->store);
    return store_find_last_spot(follow->store, &follow->last_id) == STORE_DONE;
}

void follow_close(struct follow *follow)
{
    store_close(follow->store);
    follow->store = NULL;
    follow->needed.is_counted = false; /* the next logbook can have other QSOs */
}

/* Returns whether the logbook is open; opens the logbook if necessary. A missing logbook is
 * expected to appear soon. Its absence therefore counts as the first failed read, after which the
 * next attempts follow immediately. */
static bool is_ready(struct follow *follow)
{
    if (!follow->store && store_open(follow->path, OPEN_TO_FOLLOW, &follow->store) == STORE_NONE)
        follow->failed_reads = 1;
    return follow->store != NULL;
}

/* Returns whether there could be new spots. Closes a logbook that was replaced: after a restore,
 * the path can name another file, in which ids continue to rise. */
bool follow_has_spots(struct follow *follow, int64_t now_ms)
{
    bool changed = follow->failed_reads == 0 && follow->store && store_has_commits(follow->store);
    if (follow->store && !store_is_current(follow->store, follow->path)) {
        follow_close(follow);
        follow->failed_reads = 1;
    }
    bool is_tried = follow->failed_reads > 0 && follow->failed_reads <= TRIES_MAX;
    bool needed = changed || is_tried || now_ms - follow->looked_ms >= LOOK_AGAIN_MS;
    if (needed)
        follow->looked_ms = now_ms;
    return needed;
}

bool follow_identify(struct follow *follow, struct text callsign, struct text code)
{
    return is_ready(follow) && needed_identify(&follow->needed, follow->store, callsign, code);
}

struct search {
    const struct filter *filter;
    const struct needed_filter *needed;
    int64_t last_id; /* id of the last spot that was read */
    int64_t id;      /* id of the next spot to read; if there is none, id of the newest spot */
    int count;       /* number of spots that pass, from the next spot on */
    int looked_at;
    bool as_line; /* true: the format of live spots; false: a row */
    char *out;    /* text of the next spot */
};

static bool passes(struct search *search, const struct spot *spot)
{
    char text[SPOT_ROW_LENGTH + 1];
    if (!filter_passes(search->filter, spot) || !needed_passes(search->needed, spot) ||
        !(search->as_line ? spot_format_line(spot, text) : spot_format_row(spot, text)))
        return false;
    strcpy(search->out, text);
    search->id = spot->id;
    search->count++;
    return true;
}

/* Finds the oldest passing spot after the last spot taken. The search goes backwards from the
 * newest spot, so a flood by one member cannot hide later spots from other members. */
static bool take_oldest(void *context, const struct spot *spot)
{
    struct search *search = context;
    if (spot->id <= search->last_id)
        return false;
    if (!passes(search, spot) && search->id == search->last_id)
        search->id = spot->id;
    return search->count < FOLLOW_BEHIND_MAX;
}

/* Returns the next spot. A spot committed between store_record_commits and the query is found now,
 * and makes the next check read again. */
bool follow_next(struct follow *follow, const struct filter *filter,
                 char line[SPOT_LINE_LENGTH + 1], bool *more)
{
    struct search search = {.filter = filter,
                            .needed = &follow->needed,
                            .last_id = follow->last_id,
                            .id = follow->last_id,
                            .as_line = true,
                            .out = line};
    *more = false;
    follow->failed_reads++;
    if (!is_ready(follow))
        return false;
    store_record_commits(follow->store);
    if (!needed_renew(&follow->needed, follow->store) ||
        store_list_spots(follow->store, INT64_MAX, take_oldest, &search) != STORE_DONE)
        return false;
    follow->failed_reads = 0;
    follow->last_id = search.id;
    *more = search.count > 1;
    return search.count > 0;
}

static bool take_newest(void *context, const struct spot *spot)
{
    struct search *search = context;
    search->looked_at++;
    return !passes(search, spot) && search->looked_at < SPOTS_LOOKED_AT;
}

bool follow_show(struct follow *follow, const struct filter *filter, bool as_line,
                 struct showing *showing, char out[SPOT_ROW_LENGTH + 1])
{
    struct search search = {.filter = filter,
                            .needed = &follow->needed,
                            .looked_at = showing->looked_at,
                            .as_line = as_line,
                            .out = out};
    bool is_read =
        showing->looked_at < SPOTS_LOOKED_AT && is_ready(follow) &&
        needed_renew(&follow->needed, follow->store) &&
        store_list_spots(follow->store, showing->before_id, take_newest, &search) == STORE_DONE;
    *showing = (struct showing){.before_id = search.id, .looked_at = search.looked_at};
    return is_read && search.count > 0;
}
