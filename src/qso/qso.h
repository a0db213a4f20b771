/* A QSO in memory: one value for each row of the field table (fields.h), in the table's order. */
#ifndef QSOSYNC_QSO_QSO_H
#define QSOSYNC_QSO_QSO_H

#include <stdint.h>

#include "base/text.h"

/* In the order of the API's section 2.1; validation reports the first rejection in this order. */
enum field_index {
    FIELD_CLIENT_ID,
    FIELD_BAND,
    FIELD_QSO_AT,
    FIELD_FREQUENCY,
    FIELD_CHANNEL,
    FIELD_CTCSS_TONE,
    FIELD_DCS_CODE,
    FIELD_MODE,
    FIELD_CALLSIGN_WORKED,
    FIELD_OPERATOR_CALLSIGN,
    FIELD_DX_LOCATOR,
    FIELD_DX_LAT,
    FIELD_DX_LNG,
    FIELD_TX_POWER,
    FIELD_MY_LOCATOR,
    FIELD_SPLIT,
    FIELD_PATH,
    FIELD_QSO_STATUS,
    FIELD_RST_SENT,
    FIELD_RST_RECEIVED,
    FIELD_QSL_SENT,
    FIELD_QSL_RECEIVED,
    FIELD_QSL_VIA,
    FIELD_NOTES,
    FIELD_RADIO,
    FIELD_ANTENNA,
    FIELD_SEND_SPOT,
    FIELD_ID,
    FIELD_CROSS_CONFIRMED_AT,
    FIELD_SPOTTED_AT,
    FIELD_CREATED_AT,
    FIELD_SYNCED_AT,
    FIELD_COUNT
};

enum presence {
    VALUE_OMITTED, /* the client did not send the field; never in a stored QSO */
    VALUE_NULL,    /* no value */
    VALUE_PRESENT
};

/* Which member of the union holds the value follows from the field's kind: real for coordinates,
 * text for texts and UUIDs (16 bytes), integer for everything else: kHz, ms, W, 0 or 1, and an
 * index into the field's choices. */
struct value {
    union {
        int64_t integer;
        double real;
        const char *text; /* not NUL-terminated */
    };
    uint32_t length; /* bytes of text */
    enum presence presence;
};

struct qso {
    struct value values[FIELD_COUNT];
};

/* Is shown the QSOs of a list one after the other; the texts are valid during the call. */
typedef void qso_visitor(void *context, const struct qso *qso);

/* The choices of the fields that have some, by the numbers that the schema stores; fields.c names
 * each of them. */
enum band { BAND_ELEVEN_METERS, BAND_PMR446, BAND_COUNT };
enum mode { MODE_FM, MODE_AM, MODE_SSB, MODE_USB, MODE_LSB, MODE_CW, MODE_DIGITAL, MODE_COUNT };
enum path { PATH_SHORT, PATH_LONG, PATH_COUNT };
enum qso_status { QSO_STATUS_HEARD, QSO_STATUS_WORKED, QSO_STATUS_CONFIRMED, QSO_STATUS_COUNT };
enum qsl_via { QSL_VIA_DIRECT, QSL_VIA_BUREAU, QSL_VIA_EQSL, QSL_VIA_ECARD, QSL_VIA_COUNT };

/* The text of a value, or no text. */
static inline struct text qso_text(const struct qso *qso, enum field_index field)
{
    const struct value *value = &qso->values[field];
    struct text text = {0};
    if (value->presence == VALUE_PRESENT) {
        text.bytes = value->text;
        text.length = value->length;
    }
    return text;
}

#endif
