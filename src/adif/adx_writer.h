/* Writes ADX, the XML form of ADIF. */
#ifndef QSOSYNC_ADIF_ADX_WRITER_H
#define QSOSYNC_ADIF_ADX_WRITER_H

#include <stdint.h>

#include "adif/record.h"
#include "base/buffer.h"
#include "base/table.h"

/* Adds the names of the record's user-defined fields: neither ADIF nor a program defines these
 * fields, and the header must name them. */
void adx_add_user_fields(struct table *names, const struct record *record);

/* Appends a text of XML. Characters that XML cannot contain are replaced. */
void adx_append_text(struct buffer *out, struct text text);

/* Appends the header. now_ms is the time of the export. */
void adx_append_header(struct buffer *out, const struct table *user_fields, const char *version,
                       int64_t now_ms);

void adx_append_record(struct buffer *out, const struct record *record);

/* Appends the end of the file. */
void adx_append_end(struct buffer *out);

#endif
