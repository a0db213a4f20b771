/* The records of an import that wait for a transaction. */
#ifndef QSOSYNC_TRANSFER_IMPORT_SAVE_H
#define QSOSYNC_TRANSFER_IMPORT_SAVE_H

#include "adif/encoding.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "store/credentials.h"
#include "store/transaction.h"
#include "transfer/matching.h"
#include "transfer/report.h"
#include "transfer/stations.h"

#define IMPORT_TRANSACTION_MAX 500 /* maximum number of records */

/* A record that waits to be saved. */
struct import_entry {
    int64_t line, number;
    size_t begin, end; /* the position of the record's bytes in the file */
    bool had_id;       /* whether the record had a clientId, perhaps an invalid one */
    struct matching_record record;
};

/* A record that is read once more. The list is sorted first, so that records of the same contact
 * are adjacent. */
struct import_deferred {
    uint64_t station; /* a hash of the callsign worked */
    int64_t start_ms;
    int64_t line, number;
    size_t begin, end;
};

struct import {
    struct store *store;
    struct transaction transaction;
    const struct identity *member;
    struct report *report;
    struct matching *matching; /* NULL: no record has been read so far */
    struct arena *run;         /* the arena for the whole import */
    struct text program;       /* the program that has written the file; no text: unknown */
    bool is_dry_run;
    struct encoding *encoding; /* encoding of the values that are not UTF-8; NULL: unknown */
    struct stations *stations; /* NULL: all station callsigns are kept */
    bool is_file;
    struct text file_name; /* no text: unknown */
    struct text file, header;
    const int64_t *rows; /* the line of each record; NULL: the lines of the file */
    int64_t row_count;
    struct buffer *keys;     /* NULL: keys are not requested */
    struct buffer *outcomes; /* one letter per record; NULL: outcomes are not requested */
    struct import_entry *entries;
    size_t count, bytes, settled;
    struct import_deferred *deferred;
    size_t deferred_count, deferred_capacity;
    struct arena arena; /* the arena for the waiting records */
    /* The transaction's changes so far, which count only after the commit. */
    bool writes;
    struct report_counts tally;
    struct report_value *values, **last_value;
    void (*tell)(const char *phase, int64_t done, int64_t total);
};

/* Stores the outcome of a record. A later outcome replaces an earlier one. */
void import_note_outcome(struct import *import, int64_t number, char outcome);

/* Saves the waiting records and frees their memory. is_whole means that no record can be deferred,
 * because the waiting records are the whole file, or deferred records that are read once more. */
enum store_result import_save_waiting(struct import *import, bool is_whole);

#endif
