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
#define REPORT_NAMES 1000  /* names of fields that are counted one by one */

struct report_case {
    int64_t line;
    int64_t record;    /* number of the record in the file, from 1 */
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

/* A value of a stored QSO that took the place of another one, or did not. */
struct report_value {
    struct report_value *next; /* in the order in which they were met */
    int64_t line, record;
    bool is_kept;      /* the stored one stays */
    const char *field; /* as the API calls it */
    struct text before, after;
};

/* Numbers of records. */
struct report_counts {
    int64_t imported;
    int64_t corrected; /* a value took the place of another one */
    int64_t completed; /* values were added only */
    int64_t unchanged;
    int64_t repeated; /* another record of the file is of the same contact, and counts */
    int64_t new_ids;  /* records with an own clientId that is not a UUID or is another member's */
};

struct report {
    bool found_adif; /* anything looked like ADIF: a header, or a record, however wrong */
    struct report_counts counts;
    int64_t rejected, other_bands; /* records */
    struct report_reason *reasons; /* NULL: none */
    struct report_value *values, *last_value;
    int64_t corrections,
        keeps; /* how many values; the first REPORT_VALUES of both are in the list */
    /* ADIF fields without an equivalent in a QSO: an int64_t for each name, in the form of
     * report_case. A name of length 0 counts all fields that came after REPORT_NAMES. */
    struct table names;
};

/* An empty report. The arena holds its cases and names. */
void report_begin(struct report *report, struct arena *arena);

/* Adds one case. With NOTICE_REFUSED the record is counted, too; with NOTICE_NO_FIELD the reason is
 * NULL. */
void report_add(struct report *report, enum mapped_notice notice, struct text field, int64_t line,
                int64_t record, const char *reason);

/* Adds the effect on a value. Texts are copied. */
void report_add_value(struct report *report, const struct report_value *value);

/* How many values are not in the list. */
int64_t report_values_left(const struct report *report);

/* How many cases of a reason are in `first`. */
int64_t report_cases_kept(const struct report_reason *reason);

/* Its numbers of records, as members of a JSON object, and its values, as an array of that name. */
void report_write_counts(struct buffer *out, const struct report *report);
void report_write_values(struct buffer *out, const struct report *report);

/* How a value of the list changed, in words that follow the field's name; in the arena. */
const char *report_tell_value(const struct report_value *value, struct arena *arena);

/* rejected, left out or changed */
const char *report_notice_name(enum mapped_notice notice);

#endif
