/* Merges a record into the stored QSO. */
#ifndef QSOSYNC_ADIF_MERGE_H
#define QSOSYNC_ADIF_MERGE_H

#include "adif/rows.h"
#include "adif/said.h"
#include "base/arena.h"

enum merge_way {
    MERGE_ADD,     /* stored values are kept if the record does not contain the fields */
    MERGE_REPLACE, /* the record replaces the whole QSO */
    /* empty values that the stored QSO's band allows are filled, and more exact values replace
     * the same values with less detail */
    MERGE_FILL
};

/* The values in a record that the record's source has not sent before. */
struct merge_new {
    bool is_new[SAID_COUNT];
    bool may_say_less; /* whether the same program sends a correction, which can be less exact */
};

struct merging {
    const struct mapped *record;
    const struct qso *stored; /* NULL: no QSO is stored */
    enum merge_way way;
    const struct merge_new *new_values; /* NULL: all values are new */
    const struct contact_own *own;      /* the log's callsigns; NULL: unknown */
};

/* Fills *out with the values to save: every field that a client may send has a value or is null.
 * Unless may_say_less is true, MERGE_ADD also keeps stored detail that the record does not contain.
 * Such detail is the seconds, the sideband, the last characters of a locator, the serial in a
 * report, or the spelling of a callsign. Returns whether any value differs from the stored QSO.
 * Texts belong to one of the QSOs, or are in the arena. */
bool merge_record(const struct merging *merging, struct arena *arena, struct qso *out);

/* Returns whether the record has a new value for the field, but the merged QSO has another value.
 * Differences only in detail or spelling do not count. */
bool merge_keeps_another(const struct merging *merging, const struct qso *merged,
                         enum field_index field);

#endif
