/* The field table: each fact about a QSO's fields is stated in one row of it (API sections 2.1,
 * 2.2).
 *
 * Validation, storage, rendering, ADIF, CSV and the published schema walk this table. A new field
 * needs a row in schema/fields.json, a migration, and cases in the tests. */
#ifndef QSOSYNC_QSO_FIELDS_H
#define QSOSYNC_QSO_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "qso/qso.h"

struct rejection {
    const char *code;   /* a stable code, or an English sentence that begins with the field */
    bool permanent;     /* the QSO itself is wrong, so sending it again unchanged is useless */
    const char *field;  /* the API's name of the field; NULL: no single field is wrong */
    const char *reason; /* the sentence without the field; NULL: the code is stable */
};

/* A conflict means that the stored QSO is newer than the QSO that the client changed
 * (baseSyncedAt). An internal rejection means that the database rejected only this entry. Only
 * after an internal rejection can the same attempt succeed. */
#define ROW(name, code, permanent, field) extern const struct rejection rejection_##name;
#include "schema/rejections.inc"
#undef ROW

/* A permanent rejection in a sentence, which names the field first. */
#define REJECTION_SENTENCE(name, sentence)                                                         \
    {                                                                                              \
        .code = name " " sentence, .permanent = true, .field = name, .reason = sentence            \
    }

/* All rejections, for the API description; ends with NULL. */
extern const struct rejection *const rejections[];

/* The form of a value on the wire and in memory. */
enum field_kind {
    KIND_UUID,      /* 36 characters; 16 bytes */
    KIND_CHOICE,    /* one of choices; stored as its index */
    KIND_DATETIME,  /* ISO 8601; ms */
    KIND_FREQUENCY, /* MHz with three decimals, as a string; kHz */
    KIND_INTEGER,
    KIND_REAL,
    KIND_BOOLEAN,
    KIND_LOCATOR,
    KIND_PATTERN, /* text of the form `pattern` */
    KIND_TEXT,    /* free text */
    KIND_ID,      /* an integer; on the wire, its decimal text */
};

enum field_flag {
    FIELD_REQUIRED = 1,
    FIELD_READ_ONLY = 2,      /* set by the service, ignored when sent */
    FIELD_WRITE_ONLY = 4,     /* never stored, never returned */
    FIELD_KEPT_ON_UPDATE = 8, /* if omitted in an update, the stored value stays (2.3) */
    FIELD_NEVER_NULL = 16,    /* has a value in every answer */
    FIELD_CONSTANT = 32,      /* no update changes it */
    /* not saved with the QSO, but by the database or in a separate step */
    FIELD_ASSIGNED = 64,
    FIELD_MATCHED = 128,  /* decides which QSOs confirm each other */
    FIELD_MAPPED = 256,   /* part of the map of stations worked */
    FIELD_FILTERED = 512, /* a log is filtered, sorted or counted by it */
};

enum {
    BANDS_ALL = 0,
    BANDS_ELEVEN_METERS = 1 << BAND_ELEVEN_METERS,
    BANDS_PMR446 = 1 << BAND_PMR446
};

struct field {
    const char *name;      /* on the wire */
    const char *column;    /* NULL: not stored */
    const char *adif_name; /* name of our own ADIF field: APP_QSOSYNC_QSO_AT for qsoAt */
    const char *json_key;  /* "name": in the form of JSON */
    size_t json_key_length;
    enum field_kind kind;
    unsigned flags;           /* bits of enum field_flag */
    unsigned bands;           /* the only bands that allow it; BANDS_ALL: all bands */
    unsigned demanding_bands; /* bands in which it is required */
    /* bounds of a number in its own unit; maximum of a text in code points */
    int64_t minimum, maximum;
    const char *const *choices; /* ends with NULL */
    const char *pattern;        /* an extended regular expression */
    const struct rejection
        *format_rejection; /* the code for a value that does not fit; NULL: a sentence */
    const struct rejection
        *range_rejection; /* the code for a number out of bounds; NULL: a sentence */
};

extern const struct field fields[FIELD_COUNT];

/* Returns whether a value of this row is bytes: a text, or a UUID. */
bool fields_has_text(const struct field *field);

/* Returns whether a string has the pattern of this row. */
bool fields_matches(const struct field *field, const char *string);

/* Returns the number of the field with this name if clients may send it; otherwise -1. */
int fields_find_sent(struct text name);

#endif
