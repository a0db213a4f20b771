/* Converts a record's standard fields to a QSO and back, with the mapping table. */
#ifndef QSOSYNC_ADIF_STANDARD_H
#define QSOSYNC_ADIF_STANDARD_H

#include "adif/band_match.h"
#include "adif/rows.h"

enum mapping_outcome {
    MAPPING_QSO,
    MAPPING_OTHER_BAND,
    MAPPING_REFUSED /* the time, the band or a length is wrong; a notice contains the reason */
};

/* Writes a QSO's standard fields. `member` is the callsign of the member who owns the log; it is
 * written as the station if the QSO does not contain a station callsign. */
void standard_begin_writing(struct writing *writing, const struct qso *qso, struct text member,
                            bool strict, struct arena *arena);

/* Reads a record's standard fields, beginning with the band and the time, on which the other values
 * depend. */
enum mapping_outcome standard_read(struct reading *reading, struct band_match_fields *said);

/* Reads the standard fields that were written, without notices. Returns false if the fields do not
 * form a QSO. */
bool standard_read_again(const struct writing *writing, struct mapped *out);

#endif
