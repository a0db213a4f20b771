/* A record that another program has written, on its way into the log. */
#ifndef QSOSYNC_TRANSFER_MATCHING_RECORD_H
#define QSOSYNC_TRANSFER_MATCHING_RECORD_H

#include "adif/rows.h"
#include "adif/said.h"
#include "qso/contact.h"
#include "store/log/known.h"

enum matching_state {
    MATCHING_NEW,      /* becomes a QSO */
    MATCHING_STORED,   /* is a stored QSO */
    MATCHING_SAID,     /* is a stored QSO, and its source has already sent all of its values */
    MATCHING_REPEATED, /* a later record of the run is of the same contact, and counts instead */
    MATCHING_DEFERRED, /* later records decide which QSO it is */
};

struct matching_record {
    struct mapped mapped; /* the caller's */
    bool takes_id;        /* the caller's: the clientId is only for a new QSO */
    int64_t number;       /* the caller's: for matching_tell */
    struct text program;  /* the caller's: which of the source's programs it is; no text: the source
                             is one */
    /* Filled by matching_find. */
    enum matching_state state;
    bool is_own;      /* found by our clientId, or treated as such: it is the whole QSO */
    bool came_before; /* an earlier record of the run was of the same contact */
    int64_t qso_id;   /* for MATCHING_STORED and MATCHING_SAID */
    const struct matching_record *later; /* for MATCHING_REPEATED: the record that counts */
    struct qso stored; /* for MATCHING_STORED; texts are in the arena of matching_find */
    struct contact contact;
    struct known_key key;
    struct said said;
    uint64_t hash; /* hash of everything that identifies the record */
    struct text source;
    struct text said_before; /* digests that the same source has sent; no text: none */
};

/* Receives a value that a record shares with records that are, or can be, the same QSO: a number,
 * and the kind of number. */
typedef void matching_visitor(void *context, const struct matching_record *record, char kind,
                              uint64_t key);

#endif
