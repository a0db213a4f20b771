/* The result of an import, as counts and reasons. For each reason, the report contains the first
 * cases and the total number, so that a report about any file has a limited length. */
#ifndef QSOSYNC_TRANSFER_REPORT_H
#define QSOSYNC_TRANSFER_REPORT_H

#include <stdint.h>

#include "adif/rows.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/table.h"

#define REPORT_FIRST 10    /* maximum number of cases that are listed per reason */
#define REPORT_VALUES 1000 /* maximum number of values of stored QSOs that are listed */
#define REPORT_NAMES 1000  /* maximum number of field names that are counted separately */

struct report_case {
    int64_t line;
    int64_t record; /* number of the record in the file, from 1 */
    /* the field's name in upper case, only printable ASCII; length 0: the case concerns the
     * record as a whole */
    struct text field;
};

/* A reason, with the number of its cases and the first of them. */
struct report_reason {
    struct report_reason *next; /* the reasons are linked in the order of their first cases */
    enum mapped_notice notice;  /* any notice except NOTICE_NO_FIELD */
    const char *text;           /* a text that follows the field's name */
    int64_t count;
    struct report_case first[REPORT_FIRST]; /* the first `count` cases, at most REPORT_FIRST */
};

/* A value of a stored QSO that was replaced, or was kept although the record has another value. */
struct report_value {
    struct report_value *next; /* the values are linked in the order in which they were reported */
    int64_t line, record;
    bool is_kept;      /* whether the stored value was kept */
    const char *field; /* the field's name in the API */
    struct text before, after;
};

/* Numbers of records with each outcome. */
struct report_counts {
    int64_t imported;
    int64_t corrected; /* records that have replaced a value */
    int64_t completed; /* records that have only added values */
    int64_t unchanged;
    /* records of a contact for which another record in the file counts */
    int64_t repeated;
    /* records with a clientId that is not a UUID, or that belongs to another member */
    int64_t new_ids;
};

struct report {
    /* whether the file has an ADIF header or at least one ADIF record, even an invalid record */
    bool found_adif;
    bool has_rows; /* whether the lines are the rows of a sheet */
    struct report_counts counts;
    int64_t rejected, other_bands; /* numbers of records */
    struct report_reason *reasons; /* NULL: no reasons */
    struct report_value *values, *last_value;
    /* numbers of replaced and of kept values; the first REPORT_VALUES values of both kinds are
     * listed */
    int64_t corrections, keeps;
    /* ADIF fields without an equivalent in a QSO: an int64_t for each name, in the format used in
     * report_case. A name of length 0 counts all fields with further names after the first
     * REPORT_NAMES names. */
    struct table names;
};

/* Initialises an empty report. The arena contains the report's cases and names. */
void report_begin(struct report *report, struct arena *arena);

/* Adds one case. With NOTICE_REFUSED, the record is also counted as rejected; with NOTICE_NO_FIELD,
 * `reason` is NULL. */
void report_add(struct report *report, enum mapped_notice notice, struct text field, int64_t line,
                int64_t record, const char *reason);

/* Adds a value that was replaced or kept. Texts are copied. */
void report_add_value(struct report *report, const struct report_value *value);

/* Returns the number of values that are not listed. */
int64_t report_values_left(const struct report *report);

/* Returns the number of a reason's cases that are in `first`. */
int64_t report_cases_kept(const struct report_reason *reason);

/* Write fields of a JSON object. The first function writes the numbers of records; the second
 * writes the listed values as an array named "values", and the number of values that are not
 * listed. */
void report_write_counts(struct buffer *out, const struct report *report);
void report_write_values(struct buffer *out, const struct report *report);

/* Describes the change of a value as a phrase that follows the field's name, in the arena. */
const char *report_tell_value(const struct report_value *value, struct arena *arena);

/* Returns "rejected", "left out", "changed" or "no place". */
const char *report_notice_name(enum mapped_notice notice);

#endif
