/* Sends batches. A delivery is marked before it is sent (alert_queue.h); only an answer that says
 * that nothing was accepted, or a connection that never began, allows another attempt. */
#include "alerts/send.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/datetime.h"

#define TRIES_MAX 4
#define FIRST_WAIT_MS 30000
#define WAIT_MS_MAX (60 * DATETIME_MINUTE_MS)
#define WAIT_GROWTH 4
#define NOT_BUILT (-1)

/* Returns the pause before the next attempt, which grows with each attempt. */
static int64_t wait_after(int64_t tries)
{
    int64_t wait_ms = FIRST_WAIT_MS;
    for (int64_t i = 0; i < tries; i++)
        wait_ms *= WAIT_GROWTH;
    return wait_ms < WAIT_MS_MAX ? wait_ms : WAIT_MS_MAX;
}

static struct alert_result result_of(const struct alert_delivery *delivery,
                                     const struct transfer *transfer)
{
    struct alert_result ended = {.alert_id = delivery->alert_id,
                                 .way_id = delivery->way_id,
                                 .outcome = ALERT_FAILED,
                                 .failure = transfer->status ? transfer->status
                                                             : -(int64_t)transfer->failure,
                                 .wait_ms = wait_after(delivery->tries)};
    const bool may_try = delivery->tries + 1 < TRIES_MAX;
    const int64_t asked_ms =
        transfer->retry_after_s < WAIT_MS_MAX / 1000 ? transfer->retry_after_s * 1000 : WAIT_MS_MAX;
    if (transfer->status >= 200 && transfer->status < 300)
        ended.outcome = ALERT_SENT;
    else if (transfer->status == 404 || transfer->status == 410)
        ended.outcome = ALERT_GONE;
    else if (may_try && (transfer->status == 429 || transfer->status == 503))
        ended.outcome = ALERT_AGAIN;
    else if (may_try && !transfer->status && transfer->was_not_sent)
        ended.outcome = ALERT_AGAIN;
    if (asked_ms > ended.wait_ms)
        ended.wait_ms = asked_ms;
    return ended;
}

/* A batch. The transfers belong to some of the deliveries, in their order. */
struct batch {
    struct alert_delivery deliveries[ALERT_BATCH];
    struct alert_result results[ALERT_BATCH];
    struct transfer transfers[ALERT_BATCH];
    size_t of[ALERT_BATCH]; /* indexes of the transfers' deliveries */
    size_t count, transfer_count;
};

static void send_batch(struct batch *batch, const struct alert_sender *sender,
                       const struct send_options *options, struct arena *arena)
{
    batch->transfer_count = 0;
    for (size_t i = 0; i < batch->count; i++) {
        const struct alert_delivery *delivery = &batch->deliveries[i];
        struct transfer *transfer = &batch->transfers[batch->transfer_count];
        batch->results[i] = (struct alert_result){.alert_id = delivery->alert_id,
                                                  .way_id = delivery->way_id,
                                                  .outcome = ALERT_FAILED,
                                                  .failure = NOT_BUILT};
        if (request_build(delivery, sender, arena, transfer))
            batch->of[batch->transfer_count++] = i;
    }
    transfers_send(batch->transfers, batch->transfer_count, options->hosts);
    for (size_t i = 0; i < batch->transfer_count; i++)
        batch->results[batch->of[i]] =
            result_of(&batch->deliveries[batch->of[i]], &batch->transfers[i]);
}

static void count_results(const struct batch *batch, struct send_counts *counts)
{
    for (size_t i = 0; i < batch->count; i++) {
        const enum alert_outcome outcome = batch->results[i].outcome;
        int64_t *const count = outcome == ALERT_SENT    ? &counts->sent
                               : outcome == ALERT_AGAIN ? &counts->again
                                                        : &counts->failed;
        ++*count;
    }
}

enum store_result alerts_send(struct store *store, const struct send_options *options,
                              struct send_counts *counts)
{
    struct arena arena = {0};
    struct alert_sender sender = {.address = options->address};
    struct batch *batch = memory_allocate(sizeof *batch);
    const int64_t until_ms = clock_monotonic_ms() + options->most_ms;
    enum store_result result = alert_ways_read_key(store, &sender.key);
    result = result == STORE_NONE ? STORE_DONE : result; /* no browser has subscribed */
    do {
        arena_reset(&arena);
        batch->count = 0;
        THEN(result, store_match_alerts(store)); /* spots can arrive during a batch */
        THEN(result, store_begin_alerts(store, &arena, batch->deliveries, &batch->count));
        if (result != STORE_DONE || batch->count == 0)
            break;
        sender.now_ms = clock_wall_ms();
        send_batch(batch, &sender, options, &arena);
        THEN(result, store_end_alerts(store, batch->results, batch->count));
        count_results(batch, counts);
    } while (result == STORE_DONE && clock_monotonic_ms() < until_ms);
    free(batch);
    arena_free(&arena);
    return result;
}
