/* Surveys an ADIF file before its records are saved, to find the encoding of the file's texts. Only
 * records that would become QSOs count. */
#ifndef QSOSYNC_TRANSFER_SURVEY_H
#define QSOSYNC_TRANSFER_SURVEY_H

#include <stdbool.h>

#include "adif/encoding.h"
#include "adif/record.h"
#include "adif/rows.h"
#include "base/arena.h"
#include "base/text.h"

struct survey {
    bool is_odd; /* whether the file contains values that are not UTF-8 */
    /* The encoding of these values: the encoding that the header names, or in which the values
     * agree with the corresponding _INTL fields. NULL: unknown. The caller must close the
     * encoding. */
    struct encoding *encoding;
    /* The first of these values, as read in each candidate encoding; NULL: a value is not valid in
     * this encoding. */
    const char *readings[ENCODING_CANDIDATES];
};

/* Examines all records of a file for a member's log. The result is in the arena. */
void survey_file(struct text file, struct text member, struct arena *arena, struct survey *out);

/* Returns whether the record becomes a QSO, whatever the encoding of its texts. */
bool survey_is_qso(struct text member, const struct record *record, struct arena *arena,
                   struct mapped *mapped);

#endif
