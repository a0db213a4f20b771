/* Counts statistics and awards on one walk over what the filter of My log wants. What is counted is
 * left to statistics.c and qso/awards.c, what is kept of it to kept.c.
 */
#include "site/summary.h"

#include "qso/awards.h"
#include "site/awards_json.h"
#include "site/log_query.h"
#include "site/profile.h"
#include "site/statistics.h"
#include "store/log.h"

struct summary {
    struct log_filter filter;
    bool wants[KEPT_KINDS];
    struct statistics statistics;
    struct awards awards;
};

static bool count_qso(void *context, const struct qso *qso)
{
    struct summary *summary = context;
    if (!log_filter_fits(&summary->filter, qso))
        return true;
    if (summary->wants[KEPT_STATISTICS])
        statistics_add(&summary->statistics, qso);
    if (summary->wants[KEPT_AWARDS])
        awards_add(&summary->awards, qso);
    return true;
}

static void begin(struct exchange *exchange, struct summary *summary)
{
    if (summary->wants[KEPT_STATISTICS])
        statistics_begin(&summary->statistics, exchange->member.locator, exchange->arena);
    if (summary->wants[KEPT_AWARDS])
        awards_begin(&summary->awards, exchange->arena);
}

static enum store_result walk_over(struct exchange *exchange, const struct log_walk *walk,
                                   struct summary *summary)
{
    return store_walk_log(exchange->store, exchange->member.id, walk, count_qso, summary);
}

/* What was counted of the log before, which is all but the end of it; the walk is over the rest. */
static bool load(struct exchange *exchange, struct log_walk *walk, struct summary *summary)
{
    struct kept_counts counts;
    if (!kept_find_counts(exchange, &counts))
        return false;
    const bool is_loaded = statistics_load(&summary->statistics, exchange->member.locator,
                                           &counts.content, exchange->arena) &&
                           awards_load(&summary->awards, &counts.content, exchange->arena);
    kept_release_counts(exchange);
    if (is_loaded)
        walk->changed_after_ms = counts.until_ms;
    return is_loaded;
}

static void note_counts(struct exchange *exchange, int64_t until_ms, const struct summary *summary)
{
    struct buffer content = {0};
    statistics_save(&summary->statistics, &content);
    awards_save(&summary->awards, &content);
    kept_note_counts(exchange, &(struct kept_counts){.until_ms = until_ms,
                                                     .qsos = summary->statistics.qsos,
                                                     .content = {content.bytes, content.length}});
    buffer_free(&content);
}

/* Of a very large log, counts all but its end, and keeps that; the walk is over the rest. */
static enum store_result count_beginning(struct exchange *exchange, struct log_walk *walk,
                                         struct summary *summary)
{
    int64_t until_ms;
    begin(exchange, summary);
    if (!kept_choose_end(exchange, &until_ms))
        return STORE_DONE;
    walk->changed_until_ms = until_ms;
    enum store_result result = walk_over(exchange, walk, summary);
    if (result == STORE_DONE)
        note_counts(exchange, until_ms, summary);
    walk->changed_after_ms = until_ms;
    walk->changed_until_ms = 0;
    return result;
}

static enum store_result count(struct exchange *exchange, struct summary *summary)
{
    enum store_result result = STORE_DONE;
    struct log_walk walk = log_query_walk(&summary->filter);
    walk.in_any_order = true;
    if (!summary->wants[KEPT_STATISTICS] || !summary->wants[KEPT_AWARDS])
        begin(exchange, summary);
    else if (!load(exchange, &walk, summary))
        result = count_beginning(exchange, &walk, summary);
    if (result == STORE_DONE)
        result = walk_over(exchange, &walk, summary);
    if (summary->wants[KEPT_STATISTICS])
        statistics_end(&summary->statistics);
    if (summary->wants[KEPT_AWARDS])
        awards_end(&summary->awards);
    return result;
}

/* What is wanted, of the part of the log that the query wants. */
static const struct error *count_part(struct exchange *exchange, struct summary *summary)
{
    const struct error *error = log_query_read_filter(exchange, &summary->filter);
    if (error)
        return error;
    enum store_result result = count(exchange, summary);
    log_filter_free(&summary->filter);
    return profile_store_error(result);
}

const struct error *summary_count_awards(struct exchange *exchange, struct awards *awards)
{
    struct summary *summary = arena_allocate_zeroed(exchange->arena, sizeof *summary);
    summary->wants[KEPT_AWARDS] = true;
    const struct error *error = count_part(exchange, summary);
    *awards = summary->awards;
    return error;
}

static enum store_result write(struct exchange *exchange, struct summary *summary,
                               enum kept_kind kind, struct buffer *body)
{
    const size_t from = body->length;
    enum store_result result = STORE_DONE;
    if (kind == KEPT_STATISTICS)
        result = statistics_write(&summary->statistics, exchange, body);
    else
        awards_write(&summary->awards, body);
    if (result == STORE_DONE)
        kept_note(exchange, kind, (struct text){body->bytes + from, body->length - from});
    return result;
}

/* What was not asked, to be kept. */
static enum store_result write_aside(struct exchange *exchange, struct summary *summary,
                                     enum kept_kind kind)
{
    struct buffer aside = {0};
    enum store_result result = write(exchange, summary, kind, &aside);
    buffer_free(&aside);
    return result;
}

const struct error *summary_answer(struct exchange *exchange, enum kept_kind kind)
{
    const enum kept_kind other = kind == KEPT_AWARDS ? KEPT_STATISTICS : KEPT_AWARDS;
    struct summary *summary = arena_allocate_zeroed(exchange->arena, sizeof *summary);
    if (kept_append(exchange, kind))
        return NULL;
    summary->wants[kind] = true;
    summary->wants[other] = kept_is_wanted(exchange);
    const struct error *error = count_part(exchange, summary);
    if (error)
        return error;
    enum store_result result = write(exchange, summary, kind, &exchange->response->body);
    if (result == STORE_DONE && kept_lacks(exchange, other))
        result = write_aside(exchange, summary, other);
    return profile_store_error(result);
}
