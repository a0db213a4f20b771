/* Surveys an ADIF file before its records are saved, to find the encoding of its texts, and station
 * callsigns that are not the log's own. Only records that would become QSOs count. */
#ifndef QSOSYNC_TRANSFER_SURVEY_H
#define QSOSYNC_TRANSFER_SURVEY_H

#include <stdbool.h>

#include "adif/encoding.h"
#include "base/arena.h"
#include "base/text.h"
#include "transfer/stations.h"

struct survey {
    bool is_odd; /* it has values that are not in UTF-8 */
    /* The encoding of these texts: the one that the header names, or the one in which they agree
     * with the _INTL fields next to them. NULL: unknown. The caller must close it. */
    struct encoding *encoding;
    /* The first of them as each candidate reads it; NULL: one of them does not fit. */
    const char *readings[ENCODING_CANDIDATES];
};

/* The file as UTF-8, in the arena, if it is in UTF-16, or in the given encoding of whole characters
 * (NULL: none); otherwise the file. *fails: it is damaged, or this machine does not have the
 * encoding. */
struct text survey_unfold(struct text file, const char *encoding, struct arena *arena, bool *fails);

/* Examines all records of a file for a member's log. The result is in the arena. */
void survey_file(struct text file, struct text member, struct arena *arena, struct survey *out);

/* Counts the station callsigns that are not the log's own. */
void survey_stations(struct text file, struct text member, struct stations *stations);

#endif
