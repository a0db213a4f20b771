/* A phone's request: the records that PoLo sends, and the query for records that it wants. */
#ifndef QSOSYNC_STORE_POLO_REQUEST_H
#define QSOSYNC_STORE_POLO_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "database/result.h"

struct store;

/* Kinds of records. The numbers are stored. */
enum polo_kind { POLO_OPERATION, POLO_QSO, POLO_SETTINGS };

/* A record in a request, with the data for a QSO in the log. */
struct polo_sent {
    struct text body, uuid;
    int64_t updated_ms; /* stamp of the record, by the phone's clock */
    int64_t qso_at_ms;
    bool is_deleted, is_event;
    bool is_data;     /* the mode is digital, but not named */
    struct text adif; /* the record, for leftovers_list */
};

/* Reads the records in the list at this path ("$.qsos") of the request. The records and their texts
 * are in the arena. */
enum store_result store_polo_read_sent(struct store *store, struct text request, const char *path,
                                       struct arena *arena, struct polo_sent **out, size_t *count);

/* The query for records of one kind. */
struct polo_query {
    bool is_there;               /* false: the phone requests nothing */
    int64_t after_ms, before_ms; /* stamps, neither included */
    bool goes_back;              /* asks for the newest records first */
    bool wants_own;              /* includes records that this phone has sent before */
    int64_t limit;
    int64_t unsent; /* records on the phone, including those of this request */
};

struct polo_question {
    struct polo_query queries[2]; /* indexed by kind */
    struct text settings;         /* no text: none */
};

/* Reads the queries of the request; texts are in the arena. */
enum store_result store_polo_read_question(struct store *store, struct text request,
                                           struct arena *arena, struct polo_question *out);

#endif
