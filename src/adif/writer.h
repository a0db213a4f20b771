/* Writes ADIF (ADI): records as bytes, with lengths in bytes of UTF-8. */
#ifndef QSOSYNC_ADIF_WRITER_H
#define QSOSYNC_ADIF_WRITER_H

#include <stdint.h>

#include "adif/record.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/text.h"

/* Fields in the header: the log's callsign, and the number of records that follow. */
#define WRITER_CALLSIGN_FIELD "APP_QSOSYNC_CALLSIGN"
#define WRITER_RECORDS_FIELD "APP_QSOSYNC_RECORDS"

#define WRITER_ADIF_VERSION "3.1.6"
#define WRITER_CREATED_SIZE sizeof "YYYYMMDD HHMMSS"

/* Formats the time of the export for CREATED_TIMESTAMP. */
void writer_format_created(int64_t now_ms, char created[WRITER_CREATED_SIZE]);

/* Appends the header. now_ms is the time of the export. `records` is the number of records that
 * follow. If negative, the number is unknown, and its field is omitted. */
void writer_append_header(struct buffer *out, struct text callsign, const char *version,
                          int64_t now_ms, int64_t records);

/* Appends a record, and ends its last line. */
void writer_append_record(struct buffer *out, const struct record *record);

/* Appends a last line, which marks the file as complete. Readers skip the line, because text
 * outside fields has no meaning in ADIF. */
void writer_append_end(struct buffer *out, int64_t records);

#endif
