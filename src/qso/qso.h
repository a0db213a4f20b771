/* A QSO in memory: one value for each row of the field table (fields.h), in the table's order.
 * Validation reports the first rejection in this order (API section 2.1). The database stores
 * choices by number. */
#ifndef QSOSYNC_QSO_QSO_H
#define QSOSYNC_QSO_QSO_H

#include <stdint.h>

#include "base/text.h"
#include "schema/fields.h"

enum value_state {
    VALUE_OMITTED, /* the field is missing from the input; never in a stored QSO */
    VALUE_NULL,    /* no value */
    VALUE_PRESENT
};

/* A field's value. The field's kind decides which member of the union contains the value: real for
 * coordinates, text for texts and UUIDs (16 bytes), and integer for all others. An integer is a
 * number in the field's unit (kHz, ms, W), a boolean (0 or 1), or an index of `choices`. */
struct value {
    union {
        int64_t integer;
        double real;
        const char *text; /* not NUL-terminated */
    };
    uint32_t length; /* length of the text in bytes */
    enum value_state state;
};

struct qso {
    struct value values[FIELD_COUNT];
};

/* A function that is called for each QSO in a list. The texts are valid during the call. */
typedef void qso_visitor(void *context, const struct qso *qso);

/* Returns the text of a value; no text if the field has no value. */
static inline struct text qso_text(const struct qso *qso, enum field_index field)
{
    const struct value *value = &qso->values[field];
    struct text text = {0};
    if (value->state == VALUE_PRESENT) {
        text.bytes = value->text;
        text.length = value->length;
    }
    return text;
}

/* Returns the integer of a value, or `otherwise` if the field has no value. */
static inline int64_t qso_integer_or(const struct qso *qso, enum field_index field,
                                     int64_t otherwise)
{
    const struct value *value = &qso->values[field];
    return value->state == VALUE_PRESENT ? value->integer : otherwise;
}

/* The channels of PMR446 (EN 303 405), each 12.5 kHz wide, without gaps from 446 MHz. */

#define CHANNELS_STEP_HZ INT64_C(12500)
/* lower edge of the first channel, and upper edge of the last channel */
#define CHANNELS_LOW_HZ INT64_C(446000000)
#define CHANNELS_HIGH_HZ INT64_C(446200000)

/* Returns the centre of a channel. Channel 1 has its centre at 446.00625 MHz. The field table
 * contains the highest channel number. */
static inline int64_t channels_centre_hz(int64_t channel)
{
    return CHANNELS_LOW_HZ + CHANNELS_STEP_HZ / 2 + (channel - 1) * CHANNELS_STEP_HZ;
}

#endif
