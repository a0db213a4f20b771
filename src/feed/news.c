/* Counts the member's log when somebody asks for what is new in it, and after each change of it:
 * between changes a spot costs a look into a table. What counts is left to qso/awards.c, who the
 * member is to the store. */
#include "feed/news.h"

#include "base/datetime.h"
#include "store/log.h"

void news_end(struct news *news)
{
    arena_free(&news->arena);
    *news = (struct news){0};
}

static bool count_qso(void *context, const struct qso *qso)
{
    awards_add(context, qso);
    return true;
}

static bool count_log(struct news *news, struct store *store)
{
    const struct log_walk walk = {
        .from_ms = DATETIME_MINIMUM_MS, .to_ms = DATETIME_MAXIMUM_MS, .in_any_order = true};
    arena_reset(&news->arena);
    awards_begin(&news->awards, &news->arena);
    news->is_counted =
        store_walk_log(store, news->member.id, &walk, count_qso, &news->awards) == STORE_DONE;
    news->counted_revision = news->member.log_revision;
    return news->is_counted;
}

bool news_identify(struct news *news, struct store *store, struct text callsign, struct text code)
{
    struct feed_member member;
    if (store_find_feed_member(store, callsign, code, &member) != STORE_DONE)
        return false;
    news_end(news);
    news->member = member;
    return true;
}

bool news_renew(struct news *news, struct store *store)
{
    if (!news->member.id)
        return true;
    enum store_result result = store_renew_feed_member(store, &news->member);
    if (result == STORE_NONE)
        news_end(news);
    if (result != STORE_DONE)
        return result == STORE_NONE;
    return (news->is_counted && news->counted_revision == news->member.log_revision) ||
           count_log(news, store);
}

bool news_passes(const struct news *news, const struct spot *spot)
{
    enum award_news found[AWARD_COUNTED];
    const struct award_question question = {.callsign = spot->dx_callsign,
                                            .locator = spot->dx_locator,
                                            .band = (int)spot->band,
                                            .mode = spot->mode};
    if (!news->member.id)
        return true;
    if (!news->is_counted)
        return false;
    awards_find_news(&news->awards, &question, found);
    for (int subject = 0; subject < AWARD_COUNTED; subject++)
        if (found[subject] == AWARD_NEW)
            return true;
    return false;
}
