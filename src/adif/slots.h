/* Sorts the fields of a record by name: those of ADIF for which a QSO has one, our own extra
 * fields, and the rest. */
#ifndef QSOSYNC_ADIF_SLOTS_H
#define QSOSYNC_ADIF_SLOTS_H

#include "adif/record.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "qso/qso.h"

enum slot {
    SLOT_QSO_DATE,
    SLOT_TIME_ON,
    SLOT_BAND,
    SLOT_FREQ,
    SLOT_FREQ_RX,
    SLOT_MODE,
    SLOT_SUBMODE,
    SLOT_CALL,
    SLOT_STATION_CALLSIGN,
    SLOT_OPERATOR,
    SLOT_GRIDSQUARE,
    SLOT_MY_GRIDSQUARE,
    SLOT_LAT,
    SLOT_LON,
    SLOT_TX_PWR,
    SLOT_ANT_PATH,
    SLOT_RST_SENT,
    SLOT_RST_RCVD,
    SLOT_STX,
    SLOT_STX_STRING,
    SLOT_SRX,
    SLOT_SRX_STRING,
    SLOT_QSL_SENT,
    SLOT_QSL_RCVD,
    SLOT_QSL_SENT_VIA,
    SLOT_EQSL_QSL_SENT,
    SLOT_NAME,
    SLOT_NAME_INTL,
    SLOT_QTH,
    SLOT_QTH_INTL,
    SLOT_NOTES,
    SLOT_NOTES_INTL,
    SLOT_COMMENT,
    SLOT_COMMENT_INTL,
    SLOT_MY_RIG,
    SLOT_MY_RIG_INTL,
    SLOT_MY_ANTENNA,
    SLOT_MY_ANTENNA_INTL,
    SLOT_COUNT,
    SLOT_NONE = SLOT_COUNT
};

/* NULL: the record has no such field. */
struct slots {
    const struct record_field *standard[SLOT_COUNT];
    const struct record_field *extra[FIELD_COUNT];
    const struct record_field **rest; /* those that are neither, in the record's order */
    size_t rest_count;
};

/* Of a field that occurs twice the last one counts. The list of the rest is in the arena. */
void slots_sort(const struct record *record, struct arena *arena, struct slots *out);

/* The upper-case name of a standard field. */
const char *slots_name(enum slot slot);

/* True for free texts, which may hold anything. */
bool slots_is_free_text(enum slot slot);
bool slots_is_free_text_name(struct text name);

/* Appends APP_QSOSYNC_ and the name of our field, as QSO_AT for qsoAt. */
void slots_append_extra_name(enum field_index field, struct buffer *buffer);

#endif
