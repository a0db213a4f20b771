/* Writes ADIF (ADI): records as bytes, with lengths in bytes of UTF-8. */
#ifndef QSOSYNC_ADIF_WRITER_H
#define QSOSYNC_ADIF_WRITER_H

#include "adif/record.h"
#include "base/buffer.h"

#define WRITER_CALLSIGN_FIELD "APP_QSOSYNC_CALLSIGN" /* of the header: whose log it is */

/* Appends the header. now_ms is the time of the export. */
void writer_append_header(struct buffer *out, struct text callsign, const char *version,
                          int64_t now_ms);

/* Appends one record, on a line of its own. */
void writer_append_record(struct buffer *out, const struct record *record);

#endif
