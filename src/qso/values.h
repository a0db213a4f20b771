/* Parses, formats and compares single values by their row of the field table.
 *
 * JSON and ADIF use the same rules. */
#ifndef QSOSYNC_QSO_VALUES_H
#define QSOSYNC_QSO_VALUES_H

#include "base/arena.h"
#include "base/buffer.h"
#include "qso/fields.h"
#include "qso/qso.h"

/* Parses the text (without quotes) that the API writes for a value of this field into *value. A
 * free text that is empty after trimming leaves *value unchanged. A missing text (NULL bytes) does
 * not fit any field. Texts are copied to the arena. Returns NULL, or a rejection with the field's
 * code or a sentence in the arena that begins with the field's name; *value is then unchanged. */
const struct rejection *values_parse(const struct field *field, struct text text,
                                     struct arena *arena, struct value *value);

/* Store a number that needs no parsing, if the number fits the field. The first function is for
 * KIND_INTEGER, KIND_ID and KIND_FREQUENCY (kHz), the second for KIND_REAL. Both return NULL, or a
 * rejection. */
const struct rejection *values_set_integer(const struct field *field, int64_t integer,
                                           struct arena *arena, struct value *value);
const struct rejection *values_set_real(const struct field *field, double real, struct arena *arena,
                                        struct value *value);

/* Returns NULL if the field was sent and is allowed on the band, or was not sent and is not
 * required. Otherwise returns a rejection. A null that means no value counts as not sent. `band` is
 * 1 << enum band, or 0 if the band is not known yet. */
const struct rejection *values_check_band(const struct field *field, unsigned band, bool sent,
                                          struct arena *arena);

/* Appends the text of a value that is present, in the API's format, without quotes or escapes. */
void values_format(const struct field *field, const struct value *value, struct buffer *buffer);

/* Returns whether both values are present and the same, or neither is present. An absent boolean
 * equals false, because it is stored as false. */
bool values_equal(const struct field *field, const struct value *a, const struct value *b);

#endif
