/* Exports a member's log as a file: ADIF, or CSV for tables. */
#ifndef QSOSYNC_TRANSFER_EXPORT_H
#define QSOSYNC_TRANSFER_EXPORT_H

#include "base/text.h"
#include "qso/qso.h"
#include "store/credentials.h"
#include "store/people/members.h"

enum export_format { EXPORT_ADIF, EXPORT_CSV };

struct export_options {
    enum export_format format;
    int64_t since_ms; /* only QSOs that were written later; 0: all */
    int band;         /* an enum band; -1: all */
    /* includes stations that were only heard, which other programs would read as QSOs */
    bool heard;
    /* Selects QSOs, in addition to band and heard; NULL: all. */
    bool (*shows)(void *filter, const struct qso *qso);
    void *filter;
    bool strict;         /* ADIF: only records that a strict reader of the standard accepts */
    const char *version; /* the program's version, for the header */
    /* A part of the log as ADIF, in the order in which QSOs were first saved. Programs use it to
     * fetch the QSOs after their last one. A QSO that changes later keeps its id, so they see it
     * once. Without QSOs, the output is empty. */
    int64_t limit; /* QSOs to examine; 0: the whole log */
    int64_t after; /* the id of the last QSO to skip */
};

struct export_counts {
    int64_t exported;
    int64_t last_id;     /* id of the last QSO examined, or `after` of the options */
    int64_t heard;       /* left out: only heard */
    int64_t no_callsign; /* left out by strict: no callsign in ASCII, no mode of ADIF's, */
    int64_t no_mode;     /* 11 m without a frequency */
    int64_t no_frequency;
};

/* Reads the log in one snapshot and passes it to `write`, piece by piece. If `write` returns false,
 * the export ends with STORE_DONE. */
enum store_result export_log(struct store *store, const struct member *member,
                             const struct export_options *options,
                             bool (*write)(void *context, const char *bytes, size_t length),
                             void *context, struct export_counts *counts);

#endif
