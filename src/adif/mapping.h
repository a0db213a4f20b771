/* Maps ADIF records to QSOs and back.
 *
 * Values that ADIF cannot represent exactly are written to extra fields APP_QSOSYNC_…, in addition
 * to the standard fields. A QSO that is written and read again has the same content. */
#ifndef QSOSYNC_ADIF_MAPPING_H
#define QSOSYNC_ADIF_MAPPING_H

#include "adif/record.h"
#include "adif/rows.h"
#include "adif/standard.h"
#include "base/arena.h"

/* Reads a record, whose values must be in UTF-8 (encoding_read_record). Texts are in the arena or
 * in the record. *out is valid only if the outcome is MAPPING_QSO. */
enum mapping_outcome mapping_read(const struct record *record, const struct mapped_source *source,
                                  struct arena *arena, struct mapped *out);

/* Writes the standard and extra fields of a stored QSO, in the arena. Fields from `leftovers` (no
 * text: no fields) are restored if they still match the QSO. If `strict` is true, texts that are
 * not ASCII are written to _INTL fields or, without such a field, left out. A strict record also
 * omits BAND if FREQ is written, and never contains leftovers. */
struct record mapping_write(const struct qso *qso, struct text leftovers,
                            const struct mapped_source *source, bool strict, struct arena *arena);

/* Returns the extra fields that do not contradict the QSO into which their record was merged. The
 * result is in the arena. `member` is the callsign of the log's owner. */
struct text mapping_filter_leftovers(const struct qso *qso, struct text leftovers,
                                     struct text member, struct arena *arena);

#endif
