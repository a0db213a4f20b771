/* Single values by their row of the field table: text to value, value to text, and comparison; and
 * an entry of a batch, which becomes a QSO.
 *
 * The only place that applies the rules of the rows, whether the caller read JSON or ADIF.
 */
#ifndef QSOSYNC_QSO_VALUES_H
#define QSOSYNC_QSO_VALUES_H

#include "base/arena.h"
#include "base/buffer.h"
#include "qso/fields.h"
#include "qso/qso.h"

/* Parses the text that the API writes for a value of this row (without quotes) into *value. A free
 * text that is empty after trimming leaves *value unchanged. A missing text (NULL bytes) fits no
 * row. Texts are copied to the arena. Returns NULL, or a rejection: the row's code, or a sentence
 * in the arena that begins with the field's name; *value is then unchanged. */
const struct rejection *values_parse(const struct field *field, struct text text,
                                     struct arena *arena, struct value *value);

/* The same for numbers that need no parsing: those of KIND_INTEGER or KIND_FREQUENCY (kHz), and of
 * KIND_REAL. */
const struct rejection *values_set_integer(const struct field *field, int64_t integer,
                                           struct arena *arena, struct value *value);
const struct rejection *values_set_real(const struct field *field, double real, struct arena *arena,
                                        struct value *value);

/* NULL if the field was sent (null or present) and is allowed on the band, or was not sent and is
 * not required; otherwise a rejection. band is 1 << enum band, or 0 while it is unknown. */
const struct rejection *values_check_band(const struct field *field, unsigned band, bool sent,
                                          struct arena *arena);

/* Appends the text of a value that is present, as the API writes it, without quotes or escapes. */
void values_format(const struct field *field, const struct value *value, struct buffer *buffer);

/* Both present with the same value, or neither present; a boolean that is absent is false, as it
 * will be once it is stored. */
bool values_equal(const struct field *field, const struct value *a, const struct value *b);

#endif
