/* Exports a member's log to a file: ADIF in either form, or CSV or XLSX for
 * spreadsheets. */
#ifndef QSOSYNC_TRANSFER_EXPORT_H
#define QSOSYNC_TRANSFER_EXPORT_H

#include "base/text.h"
#include "qso/qso.h"
#include "store/credentials.h"
#include "store/people/members.h"

enum export_format { EXPORT_ADIF, EXPORT_ADX, EXPORT_CSV, EXPORT_XLSX };

struct export_options {
    enum export_format format;
    int64_t since_ms; /* only QSOs written later than this time; 0: all QSOs */
    int band;         /* a value of enum band; -1: both bands */
    /* whether to include stations that were only heard, which other programs would read as QSOs */
    bool heard;
    /* function that selects QSOs, in addition to `band` and `heard`; NULL: all QSOs */
    bool (*shows)(void *filter, const struct qso *qso);
    void *filter;
    /* for ADIF: whether every record must be acceptable to a strict reader of the standard */
    bool strict;
    const char *version; /* the program's version, which is written in the header */
    /* A part of the log as ADIF, in the order in which QSOs were first saved. Programs use such a
     * part to fetch the QSOs after the last QSO that they have. A QSO that changes later keeps its
     * id, so each program receives the QSO once. Without QSOs, the output is empty. */
    int64_t limit; /* maximum number of QSOs to examine; 0: the whole log */
    int64_t after; /* id of the last QSO to skip */
};

struct export_counts {
    int64_t exported;
    /* id of the last QSO examined, or the option `after` if no QSO was examined */
    int64_t last_id;
    int64_t heard; /* QSOs left out because the station was only heard */
    /* QSOs left out by `strict`: without a callsign in ASCII, a mode that ADIF defines, or a
     * frequency */
    int64_t no_callsign, no_mode, no_frequency;
};

/* Reads the log in one snapshot and passes the file to `write`, piece by piece. If `write` returns
 * false, the export ends with STORE_DONE. */
enum store_result export_log(struct store *store, const struct member *member,
                             const struct export_options *options,
                             bool (*write)(void *context, const char *bytes, size_t length),
                             void *context, struct export_counts *counts);

#endif
