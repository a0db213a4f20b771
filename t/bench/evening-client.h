/* Defines a client of evening-load: a logger, a phone, a sender or a newcomer. A visit to the
 * service is a few requests in sequence, each over its own connection. */
#ifndef QSOSYNC_BENCH_EVENING_CLIENT_H
#define QSOSYNC_BENCH_EVENING_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"

#define CURSORS_MAX 64

enum endpoint { ME, CHANGES, DELETIONS, IDS, PAGE, BATCH, DELETE, ENDPOINTS, NOTHING = ENDPOINTS };

/* The roles of clients. A member has one client for each of the first three roles. */
enum role { LOGGER, PHONE, SENDER, MEMBER_ROLES, NEWCOMER = MEMBER_ROLES };

struct client {
    enum role role;
    uint32_t number; /* the client's address is 127.1.0.0 plus this number */
    const char *key, *partner;
    char *cursors[CURSORS_MAX]; /* cursors of a newcomer; ends with NULL */
    char since[32], etag[64], client_id[37];
    int64_t due; /* start of the next visit, in microseconds */
    /* The current visit. */
    enum endpoint endpoint; /* the endpoint of the current request */
    int socket, page;
    int64_t started;
    struct buffer request, answer;
    size_t sent;
};

/* The durations of an endpoint's answers, in microseconds. */
struct times {
    int64_t *values;
    size_t count, capacity, errors;
};

extern const char *const evening_names[ENDPOINTS];
extern struct times evening_times[ENDPOINTS];

/* Returns the microseconds of a monotonic clock. */
int64_t evening_now(void);

/* Sets up all clients. Events of their sockets arrive on this epoll file, with the client as data;
 * ended is called at the end of each visit. One in one_in QSOs is deleted after it is sent. */
void evening_set_up(int poll_file, int port, long one_in, void (*ended)(struct client *client));

void evening_begin_visit(struct client *client);

/* Continues the client's current request after an event on the client's socket. */
void evening_go_on(struct client *client);

#endif
