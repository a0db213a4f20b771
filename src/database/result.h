/* Defines the results of operations on the database, and the ways to open a database. */
#ifndef QSOSYNC_DATABASE_RESULT_H
#define QSOSYNC_DATABASE_RESULT_H

enum store_result {
    STORE_DONE,
    STORE_NONE,     /* the row or file does not exist */
    STORE_CONFLICT, /* the clientId, name or file is already in use */
    STORE_REFUSED,  /* a rule in the database forbids the change: a duplicate, an eleventh key, a
                       value out of range */
    STORE_DENIED,   /* the writer may no longer write: key revoked, member disabled or deleted */
    STORE_NO_GRANT, /* the member may not, or may no longer, operate the station */
    STORE_FULL,     /* the member's storage is full (store/storage.h) */
    STORE_BUSY,     /* another writer held the database for too long */
    STORE_NEWER,    /* a newer program has written the schema */
    STORE_FOREIGN,  /* another program's database */
    STORE_BROKEN,   /* disk full, I/O error, damaged or missing file: see the system log */
};

/* Runs the next step unless an earlier step has failed. In that case, `result` keeps the first
 * failure. */
#define THEN(result, step) ((result) = (result) == STORE_DONE ? (step) : (result))

enum opening {
    /* the database is read and written; if the file is missing, the result is STORE_NONE */
    OPEN_EXISTING,
    OPEN_BRIEFLY,   /* as OPEN_EXISTING, for a single request: no page is mapped, and the
                       write-ahead log is kept */
    OPEN_OR_CREATE, /* a missing or empty file becomes a new logbook; an existing file is kept */
    /* the file is not trusted and never written; functions that write must not be called */
    OPEN_READ_ONLY,
    /* as OPEN_READ_ONLY, with little memory, for a logbook that other programs use */
    OPEN_TO_FOLLOW,
};

#endif
