/* A row of the mapping table, and what its functions are given. */
#ifndef QSOSYNC_ADIF_ROWS_H
#define QSOSYNC_ADIF_ROWS_H

#include "adif/notes.h"
#include "adif/slots.h"
#include "adif/tuning.h"
#include "qso/fields.h"
#include "qso/qso.h"

/* What a notice says about a field. */
enum mapped_notice {
    NOTICE_REFUSED,  /* the record is refused because of it */
    NOTICE_LEFT_OUT, /* its value does not fit; the QSO is saved without it */
    NOTICE_CHANGED,  /* it was rounded or cut to fit */
    NOTICE_NO_FIELD, /* a QSO has no field for it; the reason is NULL */
    NOTICE_COUNT
};

/* field is the name as it stands in the record, or a constant; reason follows it ("is no number")
 * and lives as long as the arena. */
typedef void mapped_report(void *context, enum mapped_notice notice, struct text field,
                           int64_t line, const char *reason);

/* What the mapping of a record depends on beside the record. */
struct mapped_source {
    struct text member;    /* callsign of the member whose log it goes to, or comes from */
    mapped_report *report; /* NULL: no notices */
    void *context;
    bool is_station;   /* OPERATOR beside STATION_CALLSIGN is understood: who made the QSO */
    struct text maker; /* of a QSO that is written: who made it; no text: not known */
};

/* A record as a QSO. Fields that the record does not hold are VALUE_OMITTED, the clientId too where
 * it has none that is a UUID. */
struct mapped {
    struct qso qso;
    bool client_id_invalid; /* it had one that is not a UUID */
    int64_t id;             /* of the QSO without clientId that it was written from; 0: none */
    int64_t created_at_ms;  /* of that QSO */
    bool to_minute;         /* TIME_ON had no seconds */
    bool whole_notes;       /* the notes are what our extra field holds */
    struct notes notes;     /* otherwise: what the record holds of them, mode line included */
    struct text maker;      /* a person who is not the callsign on the air; no text: none is said */
    struct text leftovers;  /* what the QSO does not hold (leftovers.h); no text: nothing */
};

#define THOUSANDTHS_PER_DEGREE 60000 /* of a minute: ADIF writes N048 08.800 */

struct reading {
    struct slots slots;
    const struct mapped_source *source;
    struct arena *arena;
    struct mapped *out;
    struct tuning tuning;
    struct decimal frequency; /* FREQ, where the band has one */
    bool without_notices;     /* a pass that gives no notices */
};

/* Every standard field and every extra one, each once. */
#define WRITING_FIELDS_MAX ((size_t)SLOT_COUNT + FIELD_COUNT)

struct writing {
    const struct qso *qso;
    struct text station; /* the callsign where the QSO names none */
    bool strict;
    struct arena *arena;
    struct record_field *fields; /* WRITING_FIELDS_MAX */
    size_t count;
    struct slots slots; /* the standard fields among them */
};

struct row {
    enum field_index field;
    enum slot slot; /* the standard field */
    enum slot intl; /* the same for other texts than ASCII; SLOT_NONE: there is none */
    void (*read)(struct reading *reading, const struct row *row); /* NULL: read with the tuning */
    void (*write)(struct writing *writing, const struct row *row);
};

#endif
