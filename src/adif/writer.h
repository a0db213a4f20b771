/* Writes ADIF (ADI): records as bytes, with lengths in bytes of UTF-8. */
#ifndef QSOSYNC_ADIF_WRITER_H
#define QSOSYNC_ADIF_WRITER_H

#include "adif/record.h"
#include "base/buffer.h"

#define WRITER_CALLSIGN_FIELD "APP_QSOSYNC_CALLSIGN" /* of the header: whose log it is */

#define WRITER_RECORDS_FIELD "APP_QSOSYNC_RECORDS" /* of the header: how many follow */

/* Appends the header. now_ms is the time of the export. records: how many
 * follow; less than 0: it is not known. */
void writer_append_header(struct buffer *out, struct text callsign, const char *version,
                          int64_t now_ms, int64_t records);

/* Appends one record, on a line of its own. */
void writer_append_record(struct buffer *out, const struct record *record);

/* Appends a last line, without which a file is not whole. Readers skip it: ADIF has fields, and
 * text between them that means nothing. */
void writer_append_end(struct buffer *out, int64_t records);

#endif
