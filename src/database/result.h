/* The results of work on the database. */
#ifndef QSOSYNC_DATABASE_RESULT_H
#define QSOSYNC_DATABASE_RESULT_H

enum store_result {
    STORE_DONE,
    STORE_NONE,     /* no such row or file */
    STORE_CONFLICT, /* it exists already and is somebody else's: a clientId, a file */
    STORE_REFUSED,  /* a rule of the database forbids it: unique, ten keys, a value out of range */
    STORE_DENIED,   /* the writer lost the right to write: revoked, disabled, deleted */
    STORE_NO_GRANT, /* the member may not operate the station, or not any more */
    STORE_FULL,     /* the member has no room for it (store/storage.h) */
    STORE_BUSY,     /* another writer held the database for longer than we wait */
    STORE_NEWER,    /* a newer program has written the schema, which this one does not know */
    STORE_FOREIGN,  /* a database of another program */
    STORE_BROKEN,   /* disk full, I/O error, damaged or missing file: see the log */
};

/* Runs the next of several steps if none has failed so far: the result is that of the first one
 * that fails.
 */
#define THEN(result, step) ((result) = (result) == STORE_DONE ? (step) : (result))

enum opening {
    OPEN_EXISTING,  /* a missing file is STORE_NONE */
    OPEN_BRIEFLY,   /* the same, for a single request: maps nothing, and leaves the log there */
    OPEN_OR_CREATE, /* a missing or empty file becomes a new logbook; an existing one is kept */
    OPEN_READ_ONLY, /* never changed, nor trusted; functions that write are not to be called */
    OPEN_TO_FOLLOW, /* the same, and takes little memory */
};

#endif
