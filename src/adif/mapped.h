/* A record of ADIF as a QSO: what the mapping fills, and the notices that it gives. */
#ifndef QSOSYNC_ADIF_MAPPED_H
#define QSOSYNC_ADIF_MAPPED_H

#include "adif/notes.h"
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
    struct text leftovers;  /* what the QSO does not hold (leftovers.h); no text: nothing */
};

#endif
