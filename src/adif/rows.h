/* A row of the mapping table, and the data that the rows' functions receive.
 *
 * from_fields.h and from_notes.h declare the functions that read, to_fields.h declares the
 * functions that write, and serials.h declares both for reports. */
#ifndef QSOSYNC_ADIF_ROWS_H
#define QSOSYNC_ADIF_ROWS_H

#include "adif/band_match.h"
#include "adif/notes.h"
#include "adif/record.h"
#include "adif/slots.h"
#include "qso/contact.h"
#include "qso/fields.h"
#include "qso/qso.h"

/* The kinds of notices about a field. */
enum mapped_notice {
    NOTICE_REFUSED,  /* the record is rejected because of the field */
    NOTICE_LEFT_OUT, /* the value is invalid; the QSO is saved without the value */
    NOTICE_CHANGED,  /* the value was rounded or cut to fit */
    NOTICE_NO_FIELD, /* a QSO has no field for the value; the reason is NULL */
    NOTICE_COUNT
};

/* A function that receives a notice. `field` is the name from the record, or a constant; `reason`
 * follows the name ("is not a number") and is valid as long as the arena. */
typedef void mapped_report(void *context, enum mapped_notice notice, struct text field,
                           int64_t line, const char *reason);

/* Additional input for mapping a record. */
struct mapped_source {
    struct text member;    /* callsign of the member who owns the log */
    mapped_report *report; /* NULL: notices are not reported */
    void *context;
    /* whether the log belongs to a station, for which the person in OPERATOR is recorded;
     * otherwise, an OPERATOR that differs from STATION_CALLSIGN is reported */
    bool is_station;
    struct text maker; /* only for writing a QSO: the person who made the QSO; no text: unknown */
};

#define MAPPED_IDS_MAX 4 /* maximum number of ids in a record; further ids are ignored */

/* A record as a QSO. Fields without a valid value in the record are VALUE_OMITTED, including a
 * clientId that is not a UUID. */
struct mapped {
    struct qso qso;
    bool client_id_invalid; /* whether the record has a clientId that is not a UUID */
    /* if the record was written from a QSO without a clientId: the QSO's id; otherwise 0 */
    int64_t id;
    int64_t created_at_ms; /* time at which the QSO with this id was created */
    bool to_minute;        /* whether the QSO's time is known only to the minute */
    bool whole_notes;      /* whether the notes are from our extra field */
    /* if whole_notes is false: the parts of the notes in the record, including the mode line */
    struct notes notes;
    /* the person in OPERATOR, if different from the callsign on the air; no text: not specified */
    struct text maker;
    struct text leftovers; /* the record's extra fields (leftovers.h); no text: none */
    int64_t end_ms;        /* end of the contact; 0: not specified */
    struct contact_id ids[MAPPED_IDS_MAX];
    size_t id_count;
};

/* thousandths of a minute in a degree: ADIF writes coordinates such as N048 08.800 */
#define THOUSANDTHS_PER_DEGREE 60000

struct reading {
    struct slots slots;
    const struct mapped_source *source;
    struct arena *arena;
    struct mapped *out;
    struct band_match band_match;
};

/* The number of all standard fields and our extra fields. */
#define WRITING_FIELDS_MAX ((size_t)SLOT_COUNT + FIELD_COUNT)

struct writing {
    const struct qso *qso;
    struct text station; /* the callsign on the air if the QSO does not contain one */
    bool strict;
    struct arena *arena;
    /* an array of WRITING_FIELDS_MAX, until leftovers_add_rest replaces the array */
    struct record_field *fields;
    size_t count;
    struct slots slots; /* the standard fields among `fields` */
};

struct row {
    enum field_index field;
    enum slot slot; /* the standard field */
    enum slot intl; /* the standard field for texts that are not ASCII; SLOT_NONE: no such field */
    /* NULL: standard_read reads the value before the rows' values */
    void (*read)(struct reading *reading, const struct row *row);
    void (*write)(struct writing *writing, const struct row *row);
    /* letters that the field accepts; for a choice, the letters of its values, in their order */
    const char *letters;
    const char *otherwise; /* the reason for leaving out any other text */
};

#endif
