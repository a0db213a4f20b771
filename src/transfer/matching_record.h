/* A record that another program has written, before it is saved in the log. */
#ifndef QSOSYNC_TRANSFER_MATCHING_RECORD_H
#define QSOSYNC_TRANSFER_MATCHING_RECORD_H

#include "adif/rows.h"
#include "adif/said.h"
#include "qso/contact.h"
#include "store/log/known.h"

enum matching_state {
    MATCHING_NEW,    /* the record becomes a new QSO */
    MATCHING_STORED, /* the record belongs to a stored QSO */
    /* the record belongs to a stored QSO, and its source has already sent all its values */
    MATCHING_SAID,
    /* a later record of the run describes the same contact, and counts instead */
    MATCHING_REPEATED,
    MATCHING_DEFERRED, /* other records can decide to which QSO the record belongs */
};

struct matching_record {
    struct mapped mapped; /* filled by the caller */
    bool takes_id;        /* filled by the caller: whether the clientId is only for a new QSO */
    int64_t number;       /* filled by the caller: the number for matching_tell */
    /* filled by the caller: the program that has sent the record, among the source's programs; no
     * text: the source is one program */
    struct text program;
    /* The following members are filled by matching_find. */
    enum matching_state state;
    /* whether the record is the whole QSO, because it has our clientId, or the id and time of an
     * old QSO */
    bool is_own;
    bool came_before; /* whether an earlier record of the run described the same contact */
    int64_t qso_id;   /* the QSO, for MATCHING_STORED and MATCHING_SAID */
    const struct matching_record *later; /* the record that counts, for MATCHING_REPEATED */
    struct qso stored; /* for MATCHING_STORED; the texts are in the arena of matching_find */
    struct contact contact;
    struct known_key key;
    struct said said;
    uint64_t hash; /* a hash of all values that identify the record */
    struct text source;
    struct text said_before; /* digests that the same source has sent; no text: no digests */
};

/* A function that receives a value that a record shares with records that are, or can be, the same
 * QSO: a number, and its kind. */
typedef void matching_visitor(void *context, const struct matching_record *record, char kind,
                              uint64_t key);

#endif
