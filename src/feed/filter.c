/* Filters that CB operators need: they decide which spots a client of the feed gets. The four
 * filters are simple comparisons. dialogue.c reads the commands that set them; a client without
 * filters gets all spots. */
#include "feed/filter.h"

#include <string.h>

#include "base/datetime.h"
#include "qso/award_needed.h"
#include "qso/fields.h"
#include "store/log/log.h"

static bool set_band(struct filter *filter, const char *value)
{
    const bool is_pmr = text_is_one_of(text_of(value), "PMR PMR446");
    if (*value && !is_pmr && !text_is_one_of(text_of(value), "11M 11 CB"))
        return false;
    filter->bands = *value ? 1u << (is_pmr ? BAND_PMR446 : BAND_ELEVEN_METERS) : 0;
    return true;
}

/* SSB includes USB and LSB. An invalid value changes nothing. */
static bool set_mode(struct filter *filter, const char *value)
{
    for (size_t i = 0; fields[FIELD_MODE].choices[i]; i++)
        if (strcmp(value, fields[FIELD_MODE].choices[i]) == 0) {
            filter->modes = 1u << i;
            if (i == MODE_SSB)
                filter->modes |= 1u << MODE_USB | 1u << MODE_LSB;
            return true;
        }
    if (!*value)
        filter->modes = 0;
    return !*value;
}

/* Requires letters and digits in the places that a locator has them; dots may follow. */
static bool set_grid(struct filter *filter, const char *value)
{
    size_t length = strcspn(value, ".");
    if ((length == 0 && *value) || length > FILTER_GRID_MAX ||
        value[length + strspn(value + length, ".")])
        return false;
    for (size_t i = 0; i < length; i++) {
        char last = i < 2 ? 'R' : i < 4 ? '9' : 'X', first = i < 2 || i > 3 ? 'A' : '0';
        if (value[i] < first || value[i] > last)
            return false;
    }
    memcpy(filter->grid, value, length);
    filter->grid[length] = '\0';
    return true;
}

bool filter_set(struct filter *filter, const char *name, const char *value, bool *known)
{
    struct filter wanted = *filter;
    bool (*const set)(struct filter * filter, const char *value) =
        strcmp(name, "BAND") == 0   ? set_band
        : strcmp(name, "MODE") == 0 ? set_mode
        : strcmp(name, "GRID") == 0 ? set_grid
                                    : NULL;
    *known = set && set(&wanted, value);
    if (*known)
        *filter = wanted;
    return set != NULL;
}

/* Takes a callsign as written in lines, optionally followed by DXSpider's star. Rejects band names
 * of DXSpider such as 20M, which are neither callsigns nor bands of ours. */
static bool set_callsign(struct filter *filter, const char *value)
{
    size_t length = strlen(value);
    if (length > 0 && value[length - 1] == '*')
        length--;
    return strcmp(value + strspn(value, "0123456789"), "M") != 0 &&
           spot_format_callsign((struct text){value, length}, filter->callsign);
}

bool filter_set_any(struct filter *filter, const char *value)
{
    struct filter wanted = *filter;
    bool known =
        set_band(&wanted, value) || set_mode(&wanted, value) || set_callsign(&wanted, value);
    if (known)
        *filter = wanted;
    return known;
}

static bool is_callsign(struct text text, const char *begin)
{
    char callsign[SPOT_CALLSIGN_MAX + 1];
    return spot_format_callsign(text, callsign) && strncmp(callsign, begin, strlen(begin)) == 0;
}

bool filter_passes(const struct filter *filter, const struct spot *spot)
{
    if (filter->bands && !(filter->bands & 1u << spot->band))
        return false;
    if (filter->modes && (spot->mode < 0 || !(filter->modes & 1u << spot->mode)))
        return false;
    if (*filter->callsign && !is_callsign(spot->dx_callsign, filter->callsign))
        return false;
    return !*filter->grid || text_begins_ignoring_case(spot->dx_locator, filter->grid) ||
           text_begins_ignoring_case(spot->my_locator, filter->grid);
}

/* Counts the member's log when a client requests new spots only, and after each change of the log.
 * Between changes, a spot costs one table lookup. qso/awards.c decides which QSOs count; the store
 * identifies the member. */

void needed_end(struct needed_filter *needed)
{
    arena_free(&needed->arena);
    *needed = (struct needed_filter){0};
}

static bool count_qso(void *context, const struct qso *qso)
{
    awards_add(context, qso);
    return true;
}

static bool count_log(struct needed_filter *needed, struct store *store)
{
    const struct log_walk walk = {
        .from_ms = DATETIME_MINIMUM_MS, .to_ms = DATETIME_MAXIMUM_MS, .in_any_order = true};
    arena_reset(&needed->arena);
    awards_begin(&needed->awards, &needed->arena);
    needed->is_counted =
        store_walk_log(store, needed->member.id, &walk, count_qso, &needed->awards) == STORE_DONE;
    needed->counted_revision = needed->member.log_revision;
    return needed->is_counted;
}

bool needed_identify(struct needed_filter *needed, struct store *store, struct text callsign,
                     struct text code)
{
    struct feed_member member;
    if (store_find_feed_member(store, callsign, code, &member) != STORE_DONE)
        return false;
    needed_end(needed);
    needed->member = member;
    return true;
}

bool needed_renew(struct needed_filter *needed, struct store *store)
{
    if (!needed->member.id)
        return true;
    enum store_result result = store_renew_feed_member(store, &needed->member);
    if (result == STORE_NONE)
        needed_end(needed);
    if (result != STORE_DONE)
        return result == STORE_NONE;
    return (needed->is_counted && needed->counted_revision == needed->member.log_revision) ||
           count_log(needed, store);
}

bool needed_passes(const struct needed_filter *needed, const struct spot *spot)
{
    enum award_needed found[AWARD_COUNTED];
    const struct award_question question = {.callsign = spot->dx_callsign,
                                            .locator = spot->dx_locator,
                                            .band = (int)spot->band,
                                            .mode = spot->mode};
    if (!needed->member.id)
        return true;
    if (!needed->is_counted)
        return false;
    awards_find_needed(&needed->awards, &question, found);
    for (int subject = 0; subject < AWARD_COUNTED; subject++)
        if (found[subject] == AWARD_NEW)
            return true;
    return false;
}
