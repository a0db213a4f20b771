/* Compares QSOs field by field. */
#include "qso/content.h"

#include "qso/fields.h"
#include "qso/values.h"

/* Skips values that the service sets itself, because they are not content. */
bool content_is_equal(const struct qso *one, const struct qso *other)
{
    for (int i = 0; i < FIELD_COUNT; i++)
        if (content_has(&fields[i]) &&
            !values_equal(&fields[i], &one->values[i], &other->values[i]))
            return false;
    return true;
}
