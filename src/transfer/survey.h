/* Surveys an ADIF file before its records are saved, to find the encoding of its texts. Only
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
    bool is_odd; /* the file has values that are not UTF-8 */
    /* The encoding of these texts: the one that the header names, or the one in which they agree
     * with the _INTL fields next to them. NULL: unknown. The caller must close it. */
    struct encoding *encoding;
    /* The first of these texts as each candidate reads it; NULL: a text does not fit. */
    const char *readings[ENCODING_CANDIDATES];
};

/* Examines all records of a file for a member's log. The result is in the arena. */
void survey_file(struct text file, struct text member, struct arena *arena, struct survey *out);

/* Returns whether the record becomes a QSO, whatever the encoding of its texts is. */
bool survey_is_qso(struct text member, const struct record *record, struct arena *arena,
                   struct mapped *mapped);

#endif
