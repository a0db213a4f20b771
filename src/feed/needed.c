/* Filters spots by a member's log. The log is counted when a client requests only new spots, and
 * after each change to the log. Between changes, a spot costs only a few table lookups.
 * qso/awards.c decides which QSOs count; the store identifies the member. */
#include "feed/needed.h"

#include "qso/award_needed.h"
#include "store/log/log.h"

void needed_end(struct needed_filter *needed)
{
    arena_free(&needed->arena);
    *needed = (struct needed_filter){0};
}

static void count_qso(void *context, const struct qso *qso)
{
    awards_add(context, qso);
}

static bool count_log(struct needed_filter *needed, struct store *store)
{
    arena_reset(&needed->arena);
    awards_begin(&needed->awards, &needed->arena);
    needed->is_counted =
        store_count_whole_log(store, needed->member.id, count_qso, &needed->awards) == STORE_DONE;
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
