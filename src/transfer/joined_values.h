/* The values of a stored QSO that a record has replaced, and those of the record that did not
 * replace any. */
#ifndef QSOSYNC_TRANSFER_JOINED_VALUES_H
#define QSOSYNC_TRANSFER_JOINED_VALUES_H

#include <stdbool.h>

#include "adif/merge.h"
#include "base/arena.h"
#include "base/text.h"
#include "qso/fields.h"

/* The effect on a value of a stored QSO. */
enum joined_value {
    JOINED_CORRECTED, /* another value replaced it */
    JOINED_KEPT       /* it stays, although the record has another value */
};

/* Receives the values as the API writes them, up to JOINED_VALUE_MAX characters; no text: none. */
#define JOINED_VALUE_MAX 60
typedef void joined_visitor(void *context, enum joined_value kind, const struct field *field,
                            struct text before, struct text after);

/* The function that receives these values. */
struct joined_watch {
    joined_visitor *visit; /* NULL: nobody */
    void *context;
};

/* Reports the values of the stored QSO. Returns whether a value was replaced. */
bool joined_values_compare(const struct merging *merging, const struct qso *merged,
                           const struct joined_watch *watch, struct arena *arena);

#endif
