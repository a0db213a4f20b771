/* SQLite has no checksums: a bit that has changed within a text is found by no check of pages, and
 * an answer that holds it is no JSON. Whether the QSO makes sense is not asked: rules may have been
 * others when it was saved. */
#include "recovery/sound.h"

#include <string.h>

#include "base/datetime.h"
#include "base/uuid.h"
#include "qso/fields.h"

static bool is_value(enum field_kind kind, const struct value *value)
{
    switch (kind) {
    case KIND_UUID:
        return value->length == UUID_BYTES;
    case KIND_LOCATOR:
    case KIND_PATTERN:
    case KIND_TEXT:
        return value->length == 0 || (text_is_utf8(value->text, value->length) &&
                                      !memchr(value->text, '\0', value->length));
    case KIND_DATETIME:
        return value->integer >= DATETIME_MINIMUM_MS && value->integer <= DATETIME_MAXIMUM_MS;
    case KIND_REAL:
    case KIND_CHOICE:
    case KIND_FREQUENCY:
    case KIND_INTEGER:
    case KIND_BOOLEAN:
    case KIND_ID:
        break;
    }
    return true;
}

bool sound_is_qso(const struct qso *qso)
{
    for (int i = 0; i < FIELD_COUNT; i++)
        if (qso->values[i].presence == VALUE_PRESENT && !is_value(fields[i].kind, &qso->values[i]))
            return false;
    return true;
}
