/* Checks the values of a stored QSO. SQLite has no checksums, so a check of pages does not detect a
 * changed bit inside a text, which could make an answer invalid JSON. Rules that involve several
 * values are not checked, because other rules may have applied when the QSO was saved. */
#include "recovery/sound.h"

#include <string.h>

#include "base/datetime.h"
#include "base/text_utf8.h"
#include "base/uuid.h"
#include "qso/fields.h"

static bool is_value(enum field_kind kind, const struct value *value)
{
    if (kind == KIND_UUID)
        return value->length == UUID_BYTES;
    if (kind == KIND_LOCATOR || kind == KIND_PATTERN || kind == KIND_TEXT)
        return value->length == 0 || (text_is_utf8(value->text, value->length) &&
                                      !memchr(value->text, '\0', value->length));
    return kind != KIND_DATETIME ||
           (value->integer >= DATETIME_MINIMUM_MS && value->integer <= DATETIME_MAXIMUM_MS);
}

bool sound_is_qso(const struct qso *qso)
{
    for (int i = 0; i < FIELD_COUNT; i++)
        if (qso->values[i].state == VALUE_PRESENT && !is_value(fields[i].kind, &qso->values[i]))
            return false;
    return true;
}
