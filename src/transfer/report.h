/* What an import did, as counts and reasons: for each reason the first cases and how many more
 * there were, so that a report of any file has a bounded length. */
#ifndef QSOSYNC_TRANSFER_REPORT_H
#define QSOSYNC_TRANSFER_REPORT_H

#include <stdint.h>

#include "adif/rows.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/table.h"

#define REPORT_FIRST 10   /* cases of a reason that are kept */
#define REPORT_NAMES 1000 /* names of fields that are counted one by one */

struct report_case {
    int64_t line;
    int64_t record;    /* which one of the file, from 1 */
    struct text field; /* in upper case, only printable ASCII; length 0: the record as a whole */
};

/* All cases of one reason. */
struct report_reason {
    struct report_reason *next; /* in the order in which they were met */
    enum mapped_notice notice;  /* but NOTICE_NO_FIELD */
    const char *text;           /* follows the field's name */
    int64_t count;
    struct report_case first[REPORT_FIRST]; /* as many as count, at most */
};

struct report {
    int64_t lines;   /* of slices of the file before this one; lines of cases count from there */
    bool found_adif; /* anything looked like ADIF: a header, or a record, however wrong */
    int64_t imported, updated, unchanged, refused, other_bands; /* records */
    int64_t new_ids;               /* records whose own clientId was no UUID or another member's */
    struct report_reason *reasons; /* NULL: none */
    /* Fields of ADIF for which a QSO has none: an int64_t for each name, which is as in
     * report_case; of length 0: all that came after REPORT_NAMES. */
    struct table names;
};

/* An empty report. What its cases and names take is the arena's. */
void report_begin(struct report *report, struct arena *arena);

/* Adds one case. With NOTICE_REFUSED the record is counted, too; with NOTICE_NO_FIELD the reason is
 * NULL. */
void report_add(struct report *report, enum mapped_notice notice, struct text field, int64_t line,
                int64_t record, const char *reason);

/* How many cases of a reason are in `first`. */
int64_t report_cases_kept(const struct report_reason *reason);

/* Its numbers of records, as members of a JSON object. */
void report_write_counts(struct buffer *out, const struct report *report);

/* refused, left out or changed */
const char *report_notice_name(enum mapped_notice notice);

#endif
