/* Contacts in a log: the values that identify a contact, and whether two descriptions are of one
 * contact.
 *
 * The store supplies the QSOs and the known records. */
#ifndef QSOSYNC_QSO_CONTACT_H
#define QSOSYNC_QSO_CONTACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "qso/match_callsign.h"
#include "qso/qso.h"

/* Contacts that neither start within this time nor overlap are two contacts. */
#define CONTACT_WINDOW_MS INT64_C(120000)
/* Starts or frequencies that are further apart are a difference. */
#define CONTACT_START_MS INT64_C(60000)
#define CONTACT_FREQUENCY_KHZ 5
/* A longer contact is not believed, and its end is ignored. */
#define CONTACT_LENGTH_MAX_MS (INT64_C(6) * 60 * 60 * 1000)

/* An id that a program has given to a QSO, with the name of the program in upper case; both are
 * printable ASCII. */
#define CONTACT_PROGRAM_MAX 32
#define CONTACT_ID_MAX 64
struct contact_id {
    struct text program, id;
};

/* Programs whose ids a record cannot contain: PoLo, which receives its QSOs under these ids, and
 * this service, for clientIds of QSOs that were merged into others. */
#define CONTACT_POLO "POLO"
#define CONTACT_QSOSYNC "QSOSYNC"

/* The callsigns that the member or station of a log has or had, without prefixes and suffixes. */
struct contact_own {
    const struct match_callsign *callsigns;
    size_t count;
};

/* Returns whether the callsign is one of the log's own callsigns, perhaps with a portable suffix.
 */
bool contact_is_own(const struct contact_own *own, const struct match_callsign *callsign);

/* The values that identify a contact. All values except the name are copies. */
struct contact {
    struct match_callsign station; /* empty: one of the log's own callsigns */
    struct match_callsign worked;  /* empty: not given */
    struct text name;              /* name of the operator worked; no text: not given */
    int64_t band;
    int64_t start_ms, end_ms; /* an unknown end is the start */
    int64_t frequency_khz;    /* 0: not given */
    int64_t channel;          /* 0: not given */
    int64_t mode_family;      /* MATCH_NO_MODE: not given */
    bool is_heard;            /* the station was only heard */
};

/* Reads a contact. The name remains the caller's. An end_ms that is not after the start, or too
 * long after the start, counts as unknown. A QSO without an operator callsign has one of the log's
 * own callsigns. */
void contact_read(const struct qso *qso, struct text name, int64_t end_ms,
                  const struct contact_own *own, struct contact *out);

/* Returns the number of differences between two descriptions of one contact, 0 or 1, or
 * CONTACT_ANOTHER for two contacts. */
#define CONTACT_ANOTHER (-1)
int contact_compare(const struct contact *one, const struct contact *other);

/* Returns whether two records of a run, or a record and the QSO of another record, can both have
 * this id. */
bool contact_may_share(struct contact_id id, const struct contact *one,
                       const struct contact *other);

/* Returns whether a record is believed to be the stored QSO that has its id. */
bool contact_is_believed(struct contact_id id, const struct contact *record,
                         const struct contact *stored);

#endif
