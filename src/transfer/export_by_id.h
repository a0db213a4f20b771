/* A part of a member's log as ADIF, in the order in which QSOs were first saved: for programs that
 * fetch what is new since the last QSO that they have. */
#ifndef QSOSYNC_TRANSFER_EXPORT_BY_ID_H
#define QSOSYNC_TRANSFER_EXPORT_BY_ID_H

#include "store/credentials.h"

struct export_by_id {
    const struct identity *member;
    const char *version; /* the program's version, for the header */
    int64_t after;       /* the id of the last QSO that is not wanted */
    int64_t limit;       /* of QSOs that are looked at */
    int64_t exported;    /* filled: those that were written, which are not the ones only heard */
    int64_t last;        /* filled: the id of the last one that was looked at; `after`: none was */
};

/* Reads one snapshot and passes the file to write, piece by piece; nothing where there is no QSO
 * to write. When write returns false the export ends, with STORE_DONE. */
enum store_result export_by_id(struct store *store, struct export_by_id *wish,
                               bool (*write)(void *context, const char *bytes, size_t length),
                               void *context);

#endif
