/* The content of a QSO: the fields that the QSO's owner sends and the service stores. */
#ifndef QSOSYNC_QSO_CONTENT_H
#define QSOSYNC_QSO_CONTENT_H

#include <stdbool.h>

#include "qso/fields.h"
#include "qso/qso.h"

/* Returns whether the field is content, and not a value that the service sets itself. */
static inline bool content_has(const struct field *field)
{
    return field->column && !(field->flags & FIELD_READ_ONLY);
}

/* Returns whether both QSOs have the same content. */
bool content_is_equal(const struct qso *one, const struct qso *other);

#endif
