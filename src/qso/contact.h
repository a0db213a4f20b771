/* Whether two descriptions are of one contact of a log, and which record of a file is which QSO.
 *
 * Pure: the store knows which QSOs there are, and what is remembered of records. */
#ifndef QSOSYNC_QSO_CONTACT_H
#define QSOSYNC_QSO_CONTACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "qso/match_callsign.h"
#include "qso/qso.h"

/* Contacts that neither start so close to each other nor overlap are two. */
#define CONTACT_WINDOW_MS INT64_C(120000)
/* Starts further apart are a difference, and so are frequencies. */
#define CONTACT_START_MS INT64_C(60000)
#define CONTACT_FREQUENCY_KHZ 5
/* An end that is later than this after the start is not believed. */
#define CONTACT_LENGTH_MAX_MS (INT64_C(6) * 60 * 60 * 1000)

/* An id that a program has given to a QSO, with the name of the program in upper case; both are
 * printable ASCII. */
#define CONTACT_PROGRAM_MAX 32
#define CONTACT_ID_MAX 64
struct contact_id {
    struct text program, id;
};

/* Programs whose ids a record cannot bring: PoLo, which gets its QSOs back under them, and this
 * service, for clientIds of QSOs that were merged into others. */
#define CONTACT_POLO "POLO"
#define CONTACT_QSOSYNC "QSOSYNC"

/* The callsigns that the member or station of a log has or had, without prefixes and suffixes. */
struct contact_own {
    const struct match_callsign *callsigns;
    size_t count;
};

/* Whether the callsign is one of them, perhaps with a portable suffix. */
bool contact_is_own(const struct contact_own *own, const struct match_callsign *callsign);

/* The values that identify a contact. Holds copies, except for the name. */
struct contact {
    struct match_callsign station; /* empty: one of the log's own callsigns */
    struct match_callsign worked;  /* empty: not given */
    struct text name;              /* of the operator worked; no text: not given */
    int64_t band;
    int64_t start_ms, end_ms; /* the end is the start if it is not known */
    int64_t frequency_khz;    /* 0: not given */
    int64_t channel;          /* 0: not given */
    int64_t mode_family;      /* MATCH_NO_MODE: not given */
    bool is_heard;            /* a station that was only heard */
};

/* The name stays the caller's. end_ms that is not after the start, or too long after it, counts as
 * not known. A QSO without an operator callsign has one of the log's own. */
void contact_read(const struct qso *qso, struct text name, int64_t end_ms,
                  const struct contact_own *own, struct contact *out);

/* The number of differences between two descriptions of one contact, 0 or 1; CONTACT_ANOTHER if
 * they are of two contacts. */
#define CONTACT_ANOTHER (-1)
int contact_compare(const struct contact *one, const struct contact *other);

/* Whether two records of a run, or a record and a QSO that another record is, may have this id. */
bool contact_may_share(struct contact_id id, const struct contact *one,
                       const struct contact *other);

/* Whether a record is believed to be the stored QSO that has its id. */
bool contact_is_believed(struct contact_id id, const struct contact *record,
                         const struct contact *stored);

#endif
