/* The field table: one row contains all facts about a QSO's field (API sections 2.1, 2.2).
 *
 * Validation, storage, rendering, ADIF, CSV and the published schema use this table. A new field
 * needs a row in schema/fields.json, a migration, and cases in the tests. */
#ifndef QSOSYNC_QSO_FIELDS_H
#define QSOSYNC_QSO_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "qso/qso.h"

struct rejection {
    /* a stable code, or an English sentence that begins with the field's name */
    const char *code;
    /* whether the QSO itself is wrong, so that it is rejected again if sent unchanged */
    bool permanent;
    /* the field's name in the API; NULL: the rejection is not about a single field */
    const char *field;
    const char *reason; /* the sentence without the field's name; NULL: the code is stable */
};

/* A conflict means that the stored QSO is newer than the version that the client changed
 * (baseSyncedAt). An internal rejection means that the database rejected only this entry; the same
 * entry can succeed later. */
#define ROW(name, code, permanent, field) extern const struct rejection rejection_##name;
#include "schema/rejections.inc"
#undef ROW

/* A permanent rejection with a sentence that begins with the field's name. */
#define REJECTION_SENTENCE(name, sentence)                                                         \
    {                                                                                              \
        .code = name " " sentence, .permanent = true, .field = name, .reason = sentence            \
    }

/* All rejections, for the API description; ends with NULL. */
extern const struct rejection *const rejections[];

/* The format of a value in JSON and in memory. */
enum field_kind {
    KIND_UUID,      /* 36 characters; in memory, 16 bytes */
    KIND_CHOICE,    /* one of `choices`; in memory, its index */
    KIND_DATETIME,  /* ISO 8601; in memory, milliseconds */
    KIND_FREQUENCY, /* MHz with three decimals, as a string; in memory, kHz */
    KIND_INTEGER,
    KIND_REAL,
    KIND_BOOLEAN,
    KIND_LOCATOR,
    KIND_PATTERN, /* text that matches `pattern` */
    KIND_TEXT,    /* free text */
    KIND_ID,      /* an integer; in JSON, its decimal digits as a string */
};

enum field_flag {
    FIELD_REQUIRED = 1,
    FIELD_READ_ONLY = 2,      /* set by the service; ignored if sent */
    FIELD_WRITE_ONLY = 4,     /* never stored and never returned */
    FIELD_KEPT_ON_UPDATE = 8, /* an update that omits the field keeps the stored value (2.3) */
    FIELD_NEVER_NULL = 16,    /* never null in an answer */
    FIELD_CONSTANT = 32,      /* never changed by an update */
    /* not saved with the QSO, but by the database or in a separate step */
    FIELD_ASSIGNED = 64,
    FIELD_MATCHED = 128,  /* affects which QSOs confirm each other */
    FIELD_MAPPED = 256,   /* needed for the map of stations worked */
    FIELD_FILTERED = 512, /* needed to filter, sort or count the QSOs in a log */
    FIELD_COUNTED = 1024, /* needed to count all QSOs in a log */
};

enum {
    BANDS_ALL = 0,
    BANDS_ELEVEN_METERS = 1 << BAND_ELEVEN_METERS,
    BANDS_PMR446 = 1 << BAND_PMR446
};

struct field {
    const char *name;      /* the field's name in JSON */
    const char *column;    /* the database column; NULL: not stored */
    const char *adif_name; /* name of the service's own ADIF field, such as APP_QSOSYNC_QSO_AT for
                            * qsoAt */
    const char *json_key;  /* the name as JSON text with its colon: "name": */
    size_t json_key_length;
    enum field_kind kind;
    unsigned flags;           /* bits of enum field_flag */
    unsigned bands;           /* the bands that allow the field; BANDS_ALL: all bands */
    unsigned demanding_bands; /* the bands that require the field */
    /* bounds of a number in the field's own unit; bounds of a text's length in code points */
    int64_t minimum, maximum;
    const char *const *choices; /* ends with NULL */
    const char *pattern;        /* an extended regular expression */
    /* the rejection of a value that does not fit, with a code; NULL: rejections are sentences */
    const struct rejection *format_rejection;
    /* the rejection of a number out of bounds, with a code; NULL: rejections are sentences */
    const struct rejection *range_rejection;
};

extern const struct field fields[FIELD_COUNT];

/* Returns whether the field's values are bytes: texts or UUIDs. */
bool fields_has_text(const struct field *field);

/* Returns whether the string matches the field's pattern. */
bool fields_matches(const struct field *field, const char *string);

/* Returns the number of the field with this name, or -1 if clients cannot send a field with this
 * name. */
int fields_find_sent(struct text name);

#endif
