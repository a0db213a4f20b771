/* What of a QSO is its owner's: the fields that are sent and stored. */
#ifndef QSOSYNC_QSO_CONTENT_H
#define QSOSYNC_QSO_CONTENT_H

#include "qso/fields.h"

/* Whether the field is part of it: not what the service sets itself. */
static inline bool content_has(const struct field *field)
{
    return field->column && !(field->flags & FIELD_READ_ONLY);
}

/* Whether a field of the content is the same once both are stored, where an absent boolean is
 * false. */
bool content_has_equal(const struct field *field, const struct value *one,
                       const struct value *other);

/* Whether the whole content is. */
bool content_is_equal(const struct qso *one, const struct qso *other);

#endif
