/* Addresses have entries of their own, in sets; in a full set the one that failed longest ago is
 * forgotten. Counts of accounts and wider networks have no owners: each has one number, found by a
 * hash under a key that nobody outside has. So the memory is bounded, nobody can push another's
 * count out, and accounts that share a number by chance are slowed together, which refuses nobody.
 * When to ask, and what to answer, is left to guesses.c. */
#include "site/slowing.h"

#include <string.h>

#include "qso/match.h"

#define WIDE_GROUP 1   /* beside the address's own count, whose group is 0 */
#define GRACE_MS 20000 /* to come again after one's turn */

/* A member forgets a password now and then; a /48 may be the network of a town. */
const struct slowing_rule slowing_of_account = {20, 3600000}, slowing_of_network = {40, 600000};

/* -- Addresses --------------------------------------------------------------------------------- */

/* Failures of before a reboot lie ahead of now; a killed worker may leave any count. Workers that
 * look at the clock at the same time may be a moment apart. */
static void remove_old(struct slowing_failures *entry, int64_t now_ms)
{
    int64_t kept = 0;
    if (entry->count < 0 || entry->count > SLOWING_FAILURES_MAX)
        entry->count = 0;
    for (int64_t i = 0; i < entry->count; i++) {
        int64_t age_ms = now_ms - entry->failed_ms[i];
        if (age_ms < SLOWING_WINDOW_MS && age_ms > -SLOWING_WINDOW_MS / 10)
            entry->failed_ms[kept++] = entry->failed_ms[i];
    }
    entry->count = kept;
}

static int64_t last_failure(const struct slowing_failures *entry)
{
    bool has_any =
        entry->network.family && entry->count > 0 && entry->count <= SLOWING_FAILURES_MAX;
    return has_any ? entry->failed_ms[entry->count - 1] : INT64_MIN;
}

/* The address's own entry; NULL: it has none. */
static struct slowing_failures *find_entry(struct slowing_failures *set,
                                           const struct network *network)
{
    for (int i = 0; i < SLOWING_SET; i++)
        if (memcmp(&set[i].network, network, sizeof *network) == 0)
            return &set[i];
    return NULL;
}

static struct slowing_failures *find_or_make_entry(struct slowing_failures *set,
                                                   const struct network *network)
{
    struct slowing_failures *found = find_entry(set, network), *idlest = set;
    if (found)
        return found;
    for (int i = 1; i < SLOWING_SET; i++)
        if (last_failure(&set[i]) < last_failure(idlest))
            idlest = &set[i];
    memset(idlest, 0, sizeof *idlest);
    idlest->network = *network;
    return idlest;
}

int64_t slowing_count_try(struct slowing_failures *set, const struct network *network,
                          int64_t now_ms, int64_t *wait_ms)
{
    struct slowing_failures *entry = find_or_make_entry(set, network);
    remove_old(entry, now_ms);
    int64_t before = entry->count;
    if (before < SLOWING_FAILURES_MAX)
        entry->failed_ms[entry->count++] = now_ms;
    else
        *wait_ms = entry->failed_ms[0] + SLOWING_WINDOW_MS - now_ms;
    return before;
}

void slowing_forget_try(struct slowing_failures *set, const struct network *network, int64_t now_ms)
{
    struct slowing_failures *entry = find_entry(set, network);
    for (int64_t i = entry ? entry->count - 1 : -1; i >= 0; i--)
        if (entry->failed_ms[i] == now_ms) {
            entry->count--;
            memmove(&entry->failed_ms[i], &entry->failed_ms[i + 1],
                    (size_t)(entry->count - i) * sizeof entry->failed_ms[0]);
            break;
        }
}

/* -- Accounts and wider networks --------------------------------------------------------------- */

void slowing_find(struct slowing_table *table, const struct keyed_hash *hash, struct text name,
                  const struct network *network, struct slowing_places *out)
{
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
    bound(count, rule, now_ms);
    int64_t wait_ms = *count + part_of(rule) - now_ms - rule->window_ms;
    return wait_ms > 0 ? wait_ms : 0;
}

void slowing_add(int64_t *count, const struct slowing_rule *rule, int64_t now_ms)
{
    bound(count, rule, now_ms);
    if (*count < now_ms + 2 * rule->window_ms)
        *count += part_of(rule);
}

void slowing_take_back(int64_t *count, const struct slowing_rule *rule)
{
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
    struct slowing_turn *first = NULL;
    bool first_is_held = true;
    for (int i = 0; i < SLOWING_TURNS; i++) {
        struct slowing_turn *turn = &queue->turns[i];
        struct network holder = part_of_all(&turn->holder);
        bool held = is_held(turn, each_ms, now_ms);
        if (held && memcmp(&holder, &part, sizeof part) == 0)
            return turn;
        if (!first || (first_is_held && (!held || turn->due_ms < first->due_ms))) {
            first = turn;
            first_is_held = held;
        }
    }
    return first;
}

int64_t slowing_take_turn(struct slowing_queue *queue, const struct network *network,
                          int64_t each_ms, int64_t now_ms)
{
    struct slowing_turn *turn = find_turn(queue, network, each_ms, now_ms);
    int64_t left_ms = turn->due_ms - now_ms;
    bool held = is_held(turn, each_ms, now_ms);
    if (held && memcmp(&turn->holder, network, sizeof *network) == 0) {
        if (left_ms <= 0)
            turn->holder = (struct network){0};
        return left_ms > 0 ? left_ms : 0;
    }
    if (held)
        return left_ms + GRACE_MS;
    if (queue->next_ms < now_ms || queue->next_ms > now_ms + (SLOWING_TURNS + 1) * each_ms)
        queue->next_ms = now_ms;
    queue->next_ms += each_ms;
    *turn = (struct slowing_turn){.holder = *network, .due_ms = queue->next_ms};
    return turn->due_ms - now_ms;
}

void slowing_give_turn_back(struct slowing_queue *queue, const struct network *network,
                            int64_t each_ms, int64_t now_ms, int64_t wait_ms)
{
    struct slowing_turn *turn = find_turn(queue, network, each_ms, now_ms);
    if (!is_held(turn, each_ms, now_ms))
        *turn = (struct slowing_turn){.holder = *network, .due_ms = now_ms + wait_ms};
}

/* -- Where members have signed in -------------------------------------------------------------- */

/* Nobody can tell from the number which member and network it is of. */
static uint64_t place_of(const struct keyed_hash *hash, int64_t member_id,
                         const struct network *network)
{
    struct {
        int64_t member_id;
        struct network network;
    } place = {member_id, *network};
    uint64_t number = keyed_hash_of(hash, &place, sizeof place);
    return number ? number : 1;
}

bool slowing_is_known(const struct slowing_table *table, const struct keyed_hash *hash,
                      int64_t member_id, const struct network *network)
{
    uint64_t place = place_of(hash, member_id, network);
    for (int i = 0; i < SLOWING_KNOWN; i++)
        if (table->known[place % SLOWING_KNOWN_SETS][i].place == place)
            return true;
    return false;
}

void slowing_note_known(struct slowing_table *table, const struct keyed_hash *hash,
                        int64_t member_id, const struct network *network, int64_t day)
{
    uint64_t place = place_of(hash, member_id, network), set = place % SLOWING_KNOWN_SETS;
    int chosen = 0;
    for (int i = 0; i < SLOWING_KNOWN; i++) {
        if (table->known[set][i].place == place) {
            chosen = i;
            break;
        }
        if (table->known[set][i].day < table->known[set][chosen].day)
            chosen = i;
    }
    table->known[set][chosen].place = place;
    table->known[set][chosen].day = day;
}
