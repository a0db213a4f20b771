/* Reads a phone's request: the records that PoLo sends, and the queries for records that PoLo asks
 * for. */
#ifndef QSOSYNC_STORE_POLO_REQUEST_H
#define QSOSYNC_STORE_POLO_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "database/result.h"

struct store;

/* The kinds of records. The numbers are stored, so they never change. */
enum polo_kind { POLO_OPERATION, POLO_QSO, POLO_SETTINGS };

/* A record in a request, with the data for a QSO in the log. */
struct polo_sent {
    struct text body, uuid;
    int64_t updated_ms; /* time of the change, according to the phone's clock */
    int64_t qso_at_ms;
    bool is_deleted, is_event;
    bool is_data;     /* whether the mode is digital, but has no name */
    struct text adif; /* the record as ADIF, for leftovers_list */
};

/* Reads the records in the request's list at this path ("$.qsos"). The records and their texts are
 * in the arena. */
enum store_result store_polo_read_sent(struct store *store, struct text request, const char *path,
                                       struct arena *arena, struct polo_sent **out, size_t *count);

/* A query for records of one kind. */
struct polo_query {
    bool is_there;               /* whether the phone requests records of this kind */
    int64_t after_ms, before_ms; /* exclusive bounds for the stamps */
    bool goes_back;              /* whether the phone requests the newest records first */
    bool wants_own;              /* whether records that this phone has sent before are included */
    int64_t limit;
    /* number of records that the phone has not yet sent, including the records in this request */
    int64_t unsent;
};

struct polo_question {
    struct polo_query queries[2]; /* queries, indexed by kind */
    struct text settings;         /* the phone's settings; no text: none */
};

/* Reads the queries in the request. The texts are in the arena. */
enum store_result store_polo_read_question(struct store *store, struct text request,
                                           struct arena *arena, struct polo_question *out);

#endif
