/* Compares the content of QSOs by the field table: whether a write changes anything, and what it
 * changes. What the service sets itself is no content. Single values are compared by values.c, but
 * for booleans, which have a value in every stored QSO. */
#include "qso/content.h"

#include "qso/values.h"

bool content_has_equal(const struct field *field, const struct value *one,
                       const struct value *other)
{
    if (field->kind == KIND_BOOLEAN)
        return (one->presence == VALUE_PRESENT && one->integer) ==
               (other->presence == VALUE_PRESENT && other->integer);
    return values_equal(field, one, other);
}

bool content_is_equal(const struct qso *one, const struct qso *other)
{
    for (int i = 0; i < FIELD_COUNT; i++)
        if (content_has(&fields[i]) &&
            !content_has_equal(&fields[i], &one->values[i], &other->values[i]))
            return false;
    return true;
}
