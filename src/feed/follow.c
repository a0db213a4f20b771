/* A spot that was deleted is never sent: what was read counts at the moment when it is to be sent
 * if nothing was committed since it was read, and is read again otherwise. None is sent twice,
 * because a spot's id only grows.
 *
 * A look is cheap if nothing was committed: it costs a few calls of the system. */
#include "feed/follow.h"

#include <string.h>

#include "store/logbook.h"
#include "store/spots.h"

#define LOOK_AGAIN_MS 10000 /* whether there was a commit or not */
#define TRIES_MAX 6         /* immediate retries of a failed read */

/* -- The logbook ------------------------------------------------------------------------------- */

static bool take_id(void *context, const struct spot *spot)
{
    *(int64_t *)context = spot->id;
    return false;
}

static enum store_result open_store(struct follow *follow)
{
    return store_open(follow->path, OPEN_TO_FOLLOW, &follow->store);
}

bool follow_open(struct follow *follow, const char *path)
{
    *follow = (struct follow){.path = path};
    if (open_store(follow) != STORE_DONE)
        return false;
    store_note_commits(follow->store);
    return store_list_spots(follow->store, take_id, &follow->last_id) == STORE_DONE;
}

void follow_close(struct follow *follow)
{
    store_close(follow->store);
    follow->store = NULL;
    follow->line_count = follow->line_next = 0;
    follow->news.is_counted = false; /* another logbook has other QSOs */
}

/* One that is missing is on its way: it is not one that cannot be read. */
static bool is_ready(struct follow *follow)
{
    enum store_result result = follow->store ? STORE_DONE : open_store(follow);
    if (result == STORE_NONE)
        follow->failed_reads = 1;
    return result == STORE_DONE;
}

/* A restored logbook may be another file; ids go on rising in it. */
static bool was_replaced(struct follow *follow)
{
    if (!follow->store || store_is_current(follow->store))
        return false;
    follow_close(follow);
    return true;
}

bool follow_has_news(struct follow *follow, int64_t now_ms)
{
    bool is_due = now_ms - follow->looked_ms >= LOOK_AGAIN_MS;
    bool changed = follow->failed_reads == 0 && follow->store && store_has_commits(follow->store);
    if (!changed || now_ms - follow->checked_ms >= LOOK_AGAIN_MS) {
        follow->checked_ms = now_ms;
        if (was_replaced(follow))
            follow->failed_reads = 1;
    }
    bool is_tried = follow->failed_reads > 0 && follow->failed_reads <= TRIES_MAX;
    bool news = changed || is_tried || is_due;
    if (news)
        follow->looked_ms = now_ms;
    return news;
}

/* -- Whose log it is --------------------------------------------------------------------------- */

bool follow_identify(struct follow *follow, struct text callsign, struct text code)
{
    follow->line_count = follow->line_next = 0;
    return is_ready(follow) && news_identify(&follow->news, follow->store, callsign, code);
}

void follow_forget_member(struct follow *follow)
{
    follow->line_count = follow->line_next = 0;
    news_end(&follow->news);
}

static bool passes(const struct news *news, const struct filter *filter, const struct spot *spot)
{
    return filter_passes(filter, spot) && news_passes(news, spot);
}

/* -- The next spot ----------------------------------------------------------------------------- */

static bool take_spot(void *context, const struct spot *spot)
{
    struct follow *follow = context;
    struct follow_line *line = &follow->lines[follow->line_count];
    follow->is_cut = follow->line_count == FOLLOW_LINES_MAX;
    if (follow->is_cut)
        return false;
    follow->read_id = line->id = spot->id;
    if (passes(&follow->news, &follow->filter, spot) && spot_format_line(spot, line->text))
        follow->line_count++;
    return true;
}

/* How far a client is behind. */
struct behind {
    const struct filter *filter;
    const struct news *news;
    int64_t last_id;  /* that was taken */
    int64_t first_id; /* to be taken next */
    int count;
};

static bool take_behind(void *context, const struct spot *spot)
{
    struct behind *behind = context;
    char line[SPOT_LINE_LENGTH + 1];
    if (spot->id <= behind->last_id || behind->count > FOLLOW_BEHIND_MAX)
        return false;
    if (passes(behind->news, behind->filter, spot) && spot_format_line(spot, line) &&
        ++behind->count <= FOLLOW_BEHIND_MAX)
        behind->first_id = spot->id;
    return true;
}

/* One member's flood keeps nobody from what others publish after it. */
static enum store_result pass_over(struct follow *follow)
{
    struct behind behind = {
        .filter = &follow->filter, .news = &follow->news, .last_id = follow->last_id};
    enum store_result result = store_list_spots(follow->store, take_behind, &behind);
    if (result == STORE_DONE && behind.count > FOLLOW_BEHIND_MAX)
        follow->last_id = behind.first_id - 1;
    return result;
}

static enum store_result list_lines(struct follow *follow)
{
    follow->line_count = follow->line_next = 0;
    follow->read_id = follow->last_id;
    follow->is_cut = false;
    return store_list_spots_after(follow->store, follow->last_id, take_spot, follow);
}

/* What was committed between the note and the query is read now, and once more at the next look. */
static bool read_lines(struct follow *follow, const struct filter *filter)
{
    follow->line_count = follow->line_next = 0;
    follow->filter = *filter;
    follow->failed_reads++;
    if (!is_ready(follow))
        return false;
    store_note_commits(follow->store);
    if (!news_renew(&follow->news, follow->store))
        return false;
    const int64_t last_id = follow->last_id;
    enum store_result result = list_lines(follow);
    if (result == STORE_DONE && follow->is_cut)
        result = pass_over(follow);
    if (result == STORE_DONE && follow->last_id != last_id)
        result = list_lines(follow);
    if (result == STORE_DONE)
        follow->failed_reads = 0;
    else
        follow->line_count = 0;
    return follow->failed_reads == 0;
}

static bool has_lines(const struct follow *follow, const struct filter *filter)
{
    return follow->line_next < follow->line_count && follow->store &&
           !store_has_commits(follow->store) && filter_equals(&follow->filter, filter);
}

bool follow_next(struct follow *follow, const struct filter *filter,
                 char line[SPOT_LINE_LENGTH + 1], bool *more)
{
    *more = false;
    if (!has_lines(follow, filter) && !read_lines(follow, filter))
        return false;
    bool found = follow->line_next < follow->line_count;
    if (found) {
        const struct follow_line *next = &follow->lines[follow->line_next++];
        memcpy(line, next->text, sizeof next->text);
        follow->last_id = next->id;
    }
    *more = follow->line_next < follow->line_count;
    if (!*more) {
        follow->last_id = follow->read_id;
        *more = follow->is_cut;
    }
    return found;
}

/* -- Spots that were ----------------------------------------------------------------------------*/

struct newest {
    const struct filter *filter;
    const struct news *news;
    int64_t *ids;
    int count, wanted;
};

static bool take_newest(void *context, const struct spot *spot)
{
    struct newest *newest = context;
    char line[SPOT_LINE_LENGTH + 1];
    if (passes(newest->news, newest->filter, spot) && spot_format_line(spot, line))
        newest->ids[newest->count++] = spot->id;
    return newest->count < newest->wanted;
}

int follow_newest(struct follow *follow, const struct filter *filter, int64_t *out, int wanted)
{
    struct newest newest = {.filter = filter, .news = &follow->news, .ids = out, .wanted = wanted};
    if (is_ready(follow) && news_renew(&follow->news, follow->store))
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
