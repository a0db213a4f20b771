/* Converts standard fields of a record to a QSO and back, by the mapping table. */
#ifndef QSOSYNC_ADIF_STANDARD_H
#define QSOSYNC_ADIF_STANDARD_H

#include "adif/band_match.h"
#include "adif/rows.h"

enum mapping_outcome {
    MAPPING_QSO,
    MAPPING_OTHER_BAND,
    MAPPING_REFUSED /* the time, the band or a length is wrong; a notice has the reason */
};

/* Writes the standard fields of a QSO. member is the callsign of the member who owns the log: a
 * station is written even if the QSO names none. */
void standard_begin_writing(struct writing *writing, const struct qso *qso, struct text member,
                            bool strict, struct arena *arena);

/* Reads the standard fields of a record, first the band and the time, on which the other values
 * depend. */
enum mapping_outcome standard_read(struct reading *reading, struct band_match_fields *said);

/* Reads the standard fields that were written, without notices. Returns false if they would not be
 * a QSO. */
bool standard_read_again(const struct writing *writing, struct mapped *out);

#endif
