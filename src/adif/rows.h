/* A row of the mapping table, and the data that the functions of rows receive.
 *
 * from_fields.h and from_notes.h declare the functions that read, to_fields.h declares those that
 * write, and serials.h declares both for reports. */
#ifndef QSOSYNC_ADIF_ROWS_H
#define QSOSYNC_ADIF_ROWS_H

#include "adif/band_match.h"
#include "adif/notes.h"
#include "adif/record.h"
#include "adif/slots.h"
#include "qso/contact.h"
#include "qso/fields.h"
#include "qso/qso.h"

/* The kind of a notice about a field. */
enum mapped_notice {
    NOTICE_REFUSED,  /* the record is rejected because of the field */
    NOTICE_LEFT_OUT, /* the value is invalid; the QSO is saved without it */
    NOTICE_CHANGED,  /* the value was rounded or cut to fit */
    NOTICE_NO_FIELD, /* a QSO has no field for it; the reason is NULL */
    NOTICE_COUNT
};

/* field is the name from the record, or a constant; reason follows it ("is not a number") and lives
 * as long as the arena. */
typedef void mapped_report(void *context, enum mapped_notice notice, struct text field,
                           int64_t line, const char *reason);

/* Further input for the mapping of a record. */
struct mapped_source {
    struct text member;    /* callsign of the member who owns the log */
    mapped_report *report; /* NULL: no notices */
    void *context;
    bool is_station;   /* OPERATOR next to STATION_CALLSIGN names the person who made the QSO */
    struct text maker; /* for a QSO that is written: the person who made it; no text: unknown */
};

#define MAPPED_IDS_MAX 4 /* ids of a record; further ids are ignored */

/* A record as a QSO. Fields that the record does not contain are VALUE_OMITTED, including a
 * clientId that is not a UUID. */
struct mapped {
    struct qso qso;
    bool client_id_invalid; /* the clientId is not a UUID */
    /* id of the QSO without a clientId from which the record was written; 0: none */
    int64_t id;
    int64_t created_at_ms; /* time of that QSO's creation */
    bool to_minute;        /* TIME_ON had no seconds */
    bool whole_notes;      /* the notes are from our extra field */
    /* without whole_notes: the parts of the notes in the record, including the mode line */
    struct notes notes;
    struct text maker;     /* a person other than the callsign on the air; no text: not given */
    struct text leftovers; /* the record's extra fields (leftovers.h); no text: none */
    int64_t end_ms;        /* end of the contact; 0: not given */
    struct contact_id ids[MAPPED_IDS_MAX];
    size_t id_count;
};

#define THOUSANDTHS_PER_DEGREE 60000 /* thousandths of a minute: ADIF writes N048 08.800 */

struct reading {
    struct slots slots;
    const struct mapped_source *source;
    struct arena *arena;
    struct mapped *out;
    struct band_match band_match;
};

/* All standard and extra fields, each once. */
#define WRITING_FIELDS_MAX ((size_t)SLOT_COUNT + FIELD_COUNT)

struct writing {
    const struct qso *qso;
    struct text station; /* the callsign if the QSO names none */
    bool strict;
    struct arena *arena;
    struct record_field *fields; /* WRITING_FIELDS_MAX */
    size_t count;
    struct slots slots; /* the standard fields among them */
};

struct row {
    enum field_index field;
    enum slot slot; /* the standard field */
    enum slot intl; /* the standard field for texts that are not ASCII; SLOT_NONE: none */
    /* NULL: the value is read with the tuning */
    void (*read)(struct reading *reading, const struct row *row);
    void (*write)(struct writing *writing, const struct row *row);
    /* letters that the field accepts; for a choice, one letter per value of ADIF */
    const char *letters;
    const char *otherwise; /* why other texts are rejected */
};

#endif
