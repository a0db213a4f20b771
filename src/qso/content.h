/* The content of a QSO: the fields that its owner sends and the service stores. */
#ifndef QSOSYNC_QSO_CONTENT_H
#define QSOSYNC_QSO_CONTENT_H

#include <stdbool.h>

#include "qso/fields.h"
#include "qso/qso.h"

/* Whether the field is part of it: not what the service sets itself. */
static inline bool content_has(const struct field *field)
{
    return field->column && !(field->flags & FIELD_READ_ONLY);
}

/* Whether the whole content is the same. */
bool content_is_equal(const struct qso *one, const struct qso *other);

#endif
