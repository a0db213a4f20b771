/* The results of operations on the database. */
#ifndef QSOSYNC_DATABASE_RESULT_H
#define QSOSYNC_DATABASE_RESULT_H

enum store_result {
    STORE_DONE,
    STORE_NONE,     /* no such row or file */
    STORE_CONFLICT, /* the clientId or file already exists, and belongs to someone else */
    STORE_REFUSED,  /* a rule of the database forbids the change: unique, ten keys, a value out of
                       range */
    STORE_DENIED,   /* the writer lost the right to write: revoked, disabled, deleted */
    STORE_NO_GRANT, /* the member may not, or may no longer, operate the station */
    STORE_FULL,     /* the member's storage is full (store/storage.h) */
    STORE_BUSY,     /* another writer held the database for too long */
    STORE_NEWER,    /* a newer program has written the schema */
    STORE_FOREIGN,  /* another program's database */
    STORE_BROKEN,   /* disk full, I/O error, damaged or missing file: see the log */
};

/* Runs the next step unless an earlier step has failed; `result` is then the first failure. */
#define THEN(result, step) ((result) = (result) == STORE_DONE ? (step) : (result))

enum opening {
    OPEN_EXISTING,  /* reads and writes; a missing file is STORE_NONE */
    OPEN_BRIEFLY,   /* as OPEN_EXISTING, for a single request: maps nothing, and leaves the log in
                       place */
    OPEN_OR_CREATE, /* a missing or empty file becomes a new logbook; an existing file is kept */
    OPEN_READ_ONLY, /* never writes, and does not trust the file; do not call functions that write
                     */
    OPEN_TO_FOLLOW, /* as OPEN_READ_ONLY for a logbook in use, with little memory */
};

#endif
