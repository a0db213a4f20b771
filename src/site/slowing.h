/* Slows guessing down: counts failures per address, per account and per wider network,
 * gives turns to clients that must retry, and remembers where members have signed in before.
 *
 * It works on memory that the caller shares and locks, in which all zeros are a table of nothing;
 * times are milliseconds of one clock. */
#ifndef QSOSYNC_SITE_SLOWING_H
#define QSOSYNC_SITE_SLOWING_H

#include <stdbool.h>

#include "base/keyed_hash.h"
#include "base/text.h"
#include "worker/rate_limit.h"

#define SLOWING_FAILURES_MAX 10  /* failures of an address, */
#define SLOWING_WINDOW_MS 600000 /* in this time */
#define SLOWING_SETS 512
#define SLOWING_SET 80 /* failures of addresses that share a set */
#define SLOWING_ACCOUNTS 16384
#define SLOWING_NETWORKS 4096
#define SLOWING_TURNS 40
#define SLOWING_QUEUES 256
#define SLOWING_KNOWN_SETS 512
#define SLOWING_KNOWN 8

/* At most this many failures in this time; a forgotten one makes room for another. */
struct slowing_rule {
    int64_t failures, window_ms;
};
extern const struct slowing_rule slowing_of_account, slowing_of_network;

/* Turns are given in the order in which they are asked for. One part of all networks holds one at a
 * time: however many addresses somebody has there, the others do not wait for them. */
struct slowing_turn {
    struct network holder;
    int64_t due_ms;
};
struct slowing_queue {
    int64_t next_ms;
    struct slowing_turn turns[SLOWING_TURNS];
};

struct slowing_failure {
    struct network network; /* family 0: it is free */
    int64_t failed_ms;
};

struct slowing_known {
    uint64_t place; /* 0: free */
    int64_t day;
};

struct slowing_table {
    struct keyed_hash hash; /* nobody can choose what meets in one place */
    struct slowing_failure failures[SLOWING_SETS][SLOWING_SET];
    int64_t accounts[SLOWING_ACCOUNTS]; /* until when failures are remembered */
    int64_t networks[SLOWING_NETWORKS];
    struct slowing_queue queues[SLOWING_QUEUES]; /* of accounts */
    struct slowing_queue verifying;              /* of all who found no place to be looked at */
    struct slowing_known known[SLOWING_KNOWN_SETS][SLOWING_KNOWN];
};

/* How many failures the address had before this try, which is counted from now on; if there are
 * SLOWING_FAILURES_MAX it is not, and *wait_ms is the time until one more fits. */
int64_t slowing_count_try(struct slowing_table *table, const struct network *network,
                          int64_t now_ms, int64_t *wait_ms);
void slowing_forget_try(struct slowing_table *table, const struct network *network, int64_t now_ms);

/* Where a try is counted. */
struct slowing_places {
    int64_t *account, *network; /* NULL: nowhere */
    struct slowing_queue *queue;
};

/* `name` is what was typed as a callsign, by which nobody can tell whether there is such a member;
 * no text: none was. */
void slowing_find(struct slowing_table *table, struct text name, const struct network *network,
                  struct slowing_places *out);

/* Milliseconds until one more failure fits; 0: it does. Times far ahead, from before a reboot, are
 * none. A count that is NULL has no failures, and gets none. */
int64_t slowing_wait(int64_t *count, const struct slowing_rule *rule, int64_t now_ms);
void slowing_add(int64_t *count, const struct slowing_rule *rule, int64_t now_ms);
void slowing_take_back(int64_t *count, const struct slowing_rule *rule);

/* 0: it is the network's turn, which is used up. Otherwise the milliseconds after which it should
 * come again; it need not have got a turn then. */
int64_t slowing_take_turn(struct slowing_queue *queue, const struct network *network,
                          int64_t each_ms, int64_t now_ms);

/* For a turn that was used in vain: the network gets another one, in wait_ms. */
void slowing_give_turn_back(struct slowing_queue *queue, const struct network *network,
                            int64_t each_ms, int64_t now_ms, int64_t wait_ms);

/* Whether the member has signed in from this network, and notes it; in a full set the one of
 * longest ago is forgotten. */
bool slowing_is_known(struct slowing_table *table, int64_t member_id,
                      const struct network *network);
void slowing_note_known(struct slowing_table *table, int64_t member_id,
                        const struct network *network, int64_t day);

#endif
