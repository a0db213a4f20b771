/* The values of a stored QSO that a record has replaced, and the values that were kept although the
 * record has other values. */
#ifndef QSOSYNC_TRANSFER_JOINED_VALUES_H
#define QSOSYNC_TRANSFER_JOINED_VALUES_H

#include <stdbool.h>

#include "adif/merge.h"
#include "base/arena.h"
#include "base/text.h"
#include "qso/fields.h"

/* The effect of a record on a value of a stored QSO. */
enum joined_value {
    JOINED_CORRECTED, /* the value was replaced with another value */
    JOINED_KEPT       /* the value was kept, although the record has another value */
};

/* A function that receives a value before and after the merge, in the API's format, up to
 * JOINED_VALUE_MAX characters. A value that does not exist has no text. */
#define JOINED_VALUE_MAX 60
typedef void joined_visitor(void *context, enum joined_value kind, const struct field *field,
                            struct text before, struct text after);

/* The function that receives the values, and its context. */
struct joined_watch {
    joined_visitor *visit; /* NULL: values are not reported */
    void *context;
};

/* Reports the values of the stored QSO that were replaced or kept. Returns whether a value was
 * replaced. */
bool joined_values_compare(const struct merging *merging, const struct qso *merged,
                           const struct joined_watch *watch, struct arena *arena);

#endif
