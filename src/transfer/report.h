/* The result of an import, as counts and reasons: for each reason the first cases and the number of
 * further ones, so that a report of any file has a bounded length. */
#ifndef QSOSYNC_TRANSFER_REPORT_H
#define QSOSYNC_TRANSFER_REPORT_H

#include <stdint.h>

#include "adif/rows.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/table.h"

#define REPORT_FIRST 10    /* cases of a reason that are kept */
#define REPORT_VALUES 1000 /* values of stored QSOs that are named */
#define REPORT_NAMES 1000  /* names of fields that are counted separately */

struct report_case {
    int64_t line;
    int64_t record;    /* number of the record in the file, from 1 */
    struct text field; /* in upper case, only printable ASCII; length 0: the record as a whole */
};

/* All cases of one reason. */
struct report_reason {
    struct report_reason *next; /* in the order of their first cases */
    enum mapped_notice notice;  /* never NOTICE_NO_FIELD */
    const char *text;           /* follows the field's name */
    int64_t count;
    struct report_case first[REPORT_FIRST]; /* the first `count` cases */
};

/* A value of a stored QSO that was replaced, or was kept although the record has another value. */
struct report_value {
    struct report_value *next; /* in the order in which they were met */
    int64_t line, record;
    bool is_kept;      /* the stored value stays */
    const char *field; /* name in the API */
    struct text before, after;
};

/* Counts of records. */
struct report_counts {
    int64_t imported;
    int64_t corrected; /* a value was replaced */
    int64_t completed; /* values were added only */
    int64_t unchanged;
    int64_t repeated; /* another record in the file is of the same contact, and counts */
    /* records with our clientId that is not a UUID or belongs to another member */
    int64_t new_ids;
};

struct report {
    bool found_adif; /* the file has a header or a record of ADIF, even a wrong record */
    struct report_counts counts;
    int64_t rejected, other_bands; /* records */
    struct report_reason *reasons; /* NULL: none */
    struct report_value *values, *last_value;
    int64_t corrections,
        keeps; /* counts of values; the first REPORT_VALUES of both are in the list */
    /* ADIF fields without an equivalent in a QSO: an int64_t for each name, in the form of
     * report_case. A name of length 0 counts all fields that came after REPORT_NAMES. */
    struct table names;
};

/* Begins an empty report. The arena contains its cases and names. */
void report_begin(struct report *report, struct arena *arena);

/* Adds one case. With NOTICE_REFUSED the record is counted, too; with NOTICE_NO_FIELD the reason is
 * NULL. */
void report_add(struct report *report, enum mapped_notice notice, struct text field, int64_t line,
                int64_t record, const char *reason);

/* Adds the effect on a value. Texts are copied. */
void report_add_value(struct report *report, const struct report_value *value);

/* Returns how many values are not in the list. */
int64_t report_values_left(const struct report *report);

/* Returns how many cases of a reason are in `first`. */
int64_t report_cases_kept(const struct report_reason *reason);

/* Write the counts of records as members of a JSON object, and the values as an array "values". */
void report_write_counts(struct buffer *out, const struct report *report);
void report_write_values(struct buffer *out, const struct report *report);

/* Describes the change of a value, in words that follow the field's name, in the arena. */
const char *report_tell_value(const struct report_value *value, struct arena *arena);

/* Returns "rejected", "left out" or "changed". */
const char *report_notice_name(enum mapped_notice notice);

#endif
