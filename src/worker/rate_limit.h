/* The request limit: the maximum number of requests per address in any minute, across all workers
 * (API section 8). */
#ifndef QSOSYNC_WORKER_RATE_LIMIT_H
#define QSOSYNC_WORKER_RATE_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/shared_file.h"

/* Groups of requests that are counted separately. A page that polls for spots does not use up the
 * limit for programs and other pages. */
enum rate_limit_group {
    RATE_LIMIT_API,
    RATE_LIMIT_SITE,
    RATE_LIMIT_SPOTS,
    RATE_LIMIT_SESSIONS,
    RATE_LIMIT_PEERS,
    RATE_LIMIT_QUESTIONS, /* this group and the next are counted by the hour, not by the minute */
    RATE_LIMIT_TRIALS,
};

/* The counter for a request, and its limit. */
struct rate_count {
    enum rate_limit_group group;
    /* session by which requests are counted; 0: requests are counted by address */
    uint64_t session;
    int64_t times; /* factor for the limit */
};

struct rate_verdict {
    bool counted; /* false: the request was not counted, and is allowed */
    bool refused;
    int64_t limit;
    int64_t remaining; /* requests left now */
    /* seconds until another request is allowed; 0: requests are left */
    int64_t reset_seconds;
};

/* Opens or creates the shared table next to the database, and maps it. Returns false and sets errno
 * after a failure. */
bool rate_limit_open(struct shared_file *table, const char *database_path);

/* Returns additional memory in the table, for shares.c; in a new file, this memory contains zeros.
 * Returns NULL if the table is not open. */
#define RATE_LIMIT_ROOM_BYTES 32768
void *rate_limit_room(const struct shared_file *table);

/* Counts one request by its address, or by its session if `count` has a session. A refused request
 * is not counted, so a client that continues to send requests is allowed again when its minute has
 * passed. The address is IPv4 or IPv6 text; IPv6 addresses count by their /64. Invalid addresses
 * and NULL share one count. The limit is limit_per_minute times count->times; for
 * RATE_LIMIT_QUESTIONS and RATE_LIMIT_TRIALS, the limit is per hour. If limit_per_minute is 0,
 * nothing is counted. */
void rate_limit_count(const struct shared_file *table, const struct rate_count *count,
                      const char *address, int64_t limit_per_minute, int64_t now_ms,
                      struct rate_verdict *verdict);

#endif
