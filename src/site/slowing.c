/* Failures of addresses are kept in sets; in a full set the one of longest ago is forgotten. Counts
 * of accounts and wider networks have no owners: each has one number, found by a hash under a key
 * that nobody outside has. So the memory is bounded, nobody can push another's count out, and
 * accounts that share a number by chance are slowed together, which refuses nobody. When to ask,
 * and what to answer, is left to guesses.c. */
#include "site/slowing.h"

#include <string.h>

#include "qso/match.h"

#define WIDE_GROUP 1   /* beside the address's own count, whose group is 0 */
#define GRACE_MS 20000 /* to come again after one's turn */

/* A member forgets a password now and then; a /48 may be the network of a town. */
const struct slowing_rule slowing_of_account = {20, 3600000}, slowing_of_network = {40, 600000};

/* -- Addresses --------------------------------------------------------------------------------- */

static struct slowing_failure *set_of(struct slowing_table *table, const struct network *network)
{
    return table->failures[keyed_hash_of(&table->hash, network, sizeof *network) % SLOWING_SETS];
}

static bool is_of(const struct slowing_failure *failure, const struct network *network)
{
    return memcmp(&failure->network, network, sizeof *network) == 0;
}

/* Failures of before a reboot lie ahead of now. Workers that look at the clock at the same time may
 * be a moment apart. */
static bool is_remembered(const struct slowing_failure *failure, int64_t now_ms)
{
    int64_t age_ms = now_ms - failure->failed_ms;
    return age_ms < SLOWING_WINDOW_MS && age_ms > -SLOWING_WINDOW_MS / 10;
}

int64_t slowing_count_try(struct slowing_table *table, const struct network *network,
                          int64_t now_ms, int64_t *wait_ms)
{
    struct slowing_failure *set = set_of(table, network), *oldest = set;
    int64_t before = 0, first_ms = now_ms;
    for (struct slowing_failure *failure = set; failure < set + SLOWING_SET; failure++) {
        if (!is_remembered(failure, now_ms))
            *failure = (struct slowing_failure){0};
        if (failure->failed_ms < oldest->failed_ms)
            oldest = failure;
        if (!is_of(failure, network))
            continue;
        before++;
        if (failure->failed_ms < first_ms)
            first_ms = failure->failed_ms;
    }
    if (before < SLOWING_FAILURES_MAX)
        *oldest = (struct slowing_failure){*network, now_ms};
    else
        *wait_ms = first_ms + SLOWING_WINDOW_MS - now_ms;
    return before;
}

void slowing_forget_try(struct slowing_table *table, const struct network *network, int64_t now_ms)
{
    struct slowing_failure *set = set_of(table, network);
    for (int i = 0; i < SLOWING_SET; i++)
        if (is_of(&set[i], network) && set[i].failed_ms == now_ms) {
            set[i] = (struct slowing_failure){0};
            return;
        }
}

/* -- Accounts and wider networks --------------------------------------------------------------- */

void slowing_find(struct slowing_table *table, struct text name, const struct network *network,
                  struct slowing_places *out)
{
    const struct keyed_hash *hash = &table->hash;
    *out = (struct slowing_places){0};
    if (network->family == 6) {
        struct network wide = {.family = 6, .group = WIDE_GROUP};
        memcpy(&wide.number, &network->number, 48 / 8); /* its bytes are in the network's order */
        out->network = &table->networks[keyed_hash_of(hash, &wide, sizeof wide) % SLOWING_NETWORKS];
    }
    if (name.bytes) {
        struct match_callsign callsign;
        match_normalise_callsign(text_trim(name), &callsign);
        uint64_t number = keyed_hash_of(hash, callsign.bytes, callsign.length);
        out->account = &table->accounts[number % SLOWING_ACCOUNTS];
        out->queue = &table->queues[number / SLOWING_ACCOUNTS % SLOWING_QUEUES];
    }
}

/* A count is the time at which all its failures are forgotten: each stands for an equal part of the
 * window. It is bounded, so that what was slowed is as before soon after the guessing ends. */
static int64_t part_of(const struct slowing_rule *rule)
{
    return rule->window_ms / rule->failures;
}

static void bound(int64_t *count, const struct slowing_rule *rule, int64_t now_ms)
{
    if (*count < now_ms || *count > now_ms + 3 * rule->window_ms)
        *count = now_ms;
}

int64_t slowing_wait(int64_t *count, const struct slowing_rule *rule, int64_t now_ms)
{
    if (!count)
        return 0;
    bound(count, rule, now_ms);
    int64_t wait_ms = *count + part_of(rule) - now_ms - rule->window_ms;
    return wait_ms > 0 ? wait_ms : 0;
}

void slowing_add(int64_t *count, const struct slowing_rule *rule, int64_t now_ms)
{
    if (!count)
        return;
    bound(count, rule, now_ms);
    if (*count < now_ms + 2 * rule->window_ms)
        *count += part_of(rule);
}

void slowing_take_back(int64_t *count, const struct slowing_rule *rule)
{
    if (count)
        *count -= part_of(rule);
}

/* -- Turns ------------------------------------------------------------------------------------- */

static bool is_held(const struct slowing_turn *turn, int64_t each_ms, int64_t now_ms)
{
    int64_t left_ms = turn->due_ms - now_ms;
    return turn->holder.family && left_ms > -GRACE_MS && left_ms <= (SLOWING_TURNS + 1) * each_ms;
}

static struct network part_of_all(const struct network *network)
{
    struct network part = {.family = network->family};
    if (network->family == 4) {
        uint32_t address = (uint32_t)network->number;
        memcpy(&part.number, &address, 16 / 8);
    } else {
        memcpy(&part.number, &network->number, 32 / 8);
    }
    return part;
}

/* The one that the network's part holds; else a free one, or the one that is free first. */
static struct slowing_turn *find_turn(struct slowing_queue *queue, const struct network *network,
                                      int64_t each_ms, int64_t now_ms)
{
    struct network part = part_of_all(network);
    struct slowing_turn *first = queue->turns;
    for (int i = 0; i < SLOWING_TURNS; i++) {
        struct slowing_turn *turn = &queue->turns[i];
        if (!is_held(turn, each_ms, now_ms))
            *turn = (struct slowing_turn){0};
        struct network holder = part_of_all(&turn->holder);
        if (memcmp(&holder, &part, sizeof part) == 0)
            return turn;
        if (turn->due_ms < first->due_ms)
            first = turn;
    }
    return first;
}

int64_t slowing_take_turn(struct slowing_queue *queue, const struct network *network,
                          int64_t each_ms, int64_t now_ms)
{
    struct slowing_turn *turn = find_turn(queue, network, each_ms, now_ms);
    int64_t left_ms = turn->due_ms - now_ms;
    if (memcmp(&turn->holder, network, sizeof *network) == 0) {
        if (left_ms > 0)
            return left_ms;
        *turn = (struct slowing_turn){0};
        return 0;
    }
    if (turn->holder.family)
        return left_ms + GRACE_MS;
    if (queue->next_ms < now_ms || queue->next_ms > now_ms + (SLOWING_TURNS + 1) * each_ms)
        queue->next_ms = now_ms;
    queue->next_ms += each_ms;
    *turn = (struct slowing_turn){*network, queue->next_ms};
    return turn->due_ms - now_ms;
}

void slowing_give_turn_back(struct slowing_queue *queue, const struct network *network,
                            int64_t each_ms, int64_t now_ms, int64_t wait_ms)
{
    struct slowing_turn *turn = find_turn(queue, network, each_ms, now_ms);
    if (!turn->holder.family)
        *turn = (struct slowing_turn){*network, now_ms + wait_ms};
}

/* -- Where members have signed in -------------------------------------------------------------- */

/* Nobody can tell from the number which member and network it is of. */
static uint64_t place_of(const struct slowing_table *table, int64_t member_id,
                         const struct network *network)
{
    struct {
        int64_t member_id;
        struct network network;
    } place = {member_id, *network};
    uint64_t number = keyed_hash_of(&table->hash, &place, sizeof place);
    return number ? number : 1;
}

/* The entry of this place; if there is none, the one of longest ago in its set. */
static struct slowing_known *find_known(struct slowing_table *table, uint64_t place)
{
    struct slowing_known *set = table->known[place % SLOWING_KNOWN_SETS], *oldest = set;
    for (int i = 0; i < SLOWING_KNOWN; i++) {
        if (set[i].place == place)
            return &set[i];
        if (set[i].day < oldest->day)
            oldest = &set[i];
    }
    return oldest;
}

bool slowing_is_known(struct slowing_table *table, int64_t member_id, const struct network *network)
{
    uint64_t place = place_of(table, member_id, network);
    return find_known(table, place)->place == place;
}

void slowing_note_known(struct slowing_table *table, int64_t member_id,
                        const struct network *network, int64_t day)
{
    uint64_t place = place_of(table, member_id, network);
    *find_known(table, place) = (struct slowing_known){place, day};
}
