/* Which answers are kept, for which logs, and of which program: one with other tables or another
 * way of counting counts again. The rows are left to store/kept_answers.c.
 */
#include "site/kept.h"

#include "base/clock.h"

#define QSOS_MIN 1000            /* a log with fewer is counted each time */
#define QSOS_OF_COUNTS_MIN 10000 /* fewer are counted in some 10 ms */
#define TAIL 1024                /* QSOs that are counted each time: the last ones that changed */
#define TAIL_MAX 8192            /* where there are more of them, more is kept */
#define PAUSE_MS 60000           /* after a write that failed */

/* The sources of all that is counted, as a number, and how numbers stand in memory. */
#define AS_TEXT(word) #word
#define ORDER_OF_BYTES(order) AS_TEXT(order)
static const char made_by[] =
#include "site/counted.inc"
    " " ORDER_OF_BYTES(__BYTE_ORDER__);

struct kept {
    bool is_large; /* so that answers are kept */
    struct kept_state state;
    struct kept_answer noted[KEPT_KINDS];
    size_t noted_count;
    struct kept_counts counts; /* no content: none are to be kept */
};

static void begin(struct exchange *exchange)
{
    const struct identity *identity = &exchange->identity;
    struct kept *kept = arena_allocate_zeroed(exchange->arena, sizeof *kept);
    kept->state = (struct kept_state){.member_id = exchange->member.id,
                                      .log_revision = identity->log_revision,
                                      .log_epoch = identity->log_epoch,
                                      .locator = exchange->member.locator,
                                      .made_by = text_of(made_by)};
    exchange->kept = kept;
    if (exchange->request->query.length > 0 ||
        store_has_more_qsos(exchange->store, exchange->member.id, QSOS_MIN, &kept->is_large) !=
            STORE_DONE)
        kept->is_large = false;
}

bool kept_append(struct exchange *exchange, enum kept_kind kind)
{
    struct text content;
    begin(exchange);
    if (!exchange->kept->is_large ||
        store_find_kept_answer(exchange->store, exchange->arena, &exchange->kept->state, kind,
                               &content) != STORE_DONE)
        return false;
    buffer_append(&exchange->response->body, content.bytes, content.length);
    return true;
}

bool kept_is_wanted(const struct exchange *exchange)
{
    return exchange->kept->is_large;
}

bool kept_lacks(struct exchange *exchange, enum kept_kind kind)
{
    bool is_kept = false;
    return exchange->kept->is_large &&
           store_has_kept_answer(exchange->store, &exchange->kept->state, kind, &is_kept) ==
               STORE_DONE &&
           !is_kept;
}

void kept_note(struct exchange *exchange, enum kept_kind kind, struct text content)
{
    struct kept *kept = exchange->kept;
    if (!kept->is_large || content.length > KEPT_ANSWER_BYTES_MAX)
        return;
    const struct text copy = {arena_copy(exchange->arena, content.bytes, content.length),
                              content.length};
    kept->noted[kept->noted_count++] = (struct kept_answer){kind, copy};
}

bool kept_find_counts(struct exchange *exchange, struct kept_counts *out)
{
    return exchange->kept->is_large &&
           store_find_kept_counts(exchange->store, &exchange->kept->state, TAIL_MAX, out) ==
               STORE_DONE;
}

void kept_release_counts(struct exchange *exchange)
{
    store_release_kept_counts(exchange->store);
}

bool kept_choose_end(struct exchange *exchange, int64_t *until_ms)
{
    bool is_very_large = false;
    return exchange->kept->is_large &&
           store_has_more_qsos(exchange->store, exchange->member.id, QSOS_OF_COUNTS_MIN,
                               &is_very_large) == STORE_DONE &&
           is_very_large &&
           store_find_stamp_before(exchange->store, exchange->member.id, TAIL, until_ms) ==
               STORE_DONE;
}

void kept_note_counts(struct exchange *exchange, const struct kept_counts *counts)
{
    const struct text content = counts->content;
    if (content.length > KEPT_COUNTS_BYTES_MAX)
        return;
    exchange->kept->counts = *counts;
    exchange->kept->counts.content.bytes =
        arena_copy(exchange->arena, content.bytes, content.length);
}

/* While the disk is full each view would log a line. */
void kept_store(const struct exchange *exchange)
{
    static int64_t paused_until_ms;
    const struct kept *kept = exchange->kept;
    if (!kept || (kept->noted_count == 0 && kept->counts.content.length == 0) ||
        clock_monotonic_ms() < paused_until_ms)
        return;
    enum store_result result =
        store_keep_answers(exchange->store, &kept->state, kept->noted, kept->noted_count,
                           kept->counts.content.length > 0 ? &kept->counts : NULL);
    if (result != STORE_DONE && result != STORE_NONE && result != STORE_BUSY)
        paused_until_ms = clock_monotonic_ms() + PAUSE_MS;
}
