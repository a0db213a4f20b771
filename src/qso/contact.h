/* Contacts in a log: the values that identify a contact, and whether two descriptions describe the
 * same contact.
 *
 * The store supplies the QSOs and the known records. */
#ifndef QSOSYNC_QSO_CONTACT_H
#define QSOSYNC_QSO_CONTACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "qso/match_callsign.h"
#include "qso/qso.h"

/* Descriptions whose starts are further apart than this time, and whose times do not overlap,
 * describe two contacts. */
#define CONTACT_WINDOW_MS INT64_C(120000)
/* If the starts or the frequencies of two descriptions are further apart than these values, this
 * counts as a difference. */
#define CONTACT_START_MS INT64_C(60000)
#define CONTACT_FREQUENCY_KHZ 5
/* The maximum length of a contact. A later end is not credible and is ignored. */
#define CONTACT_LENGTH_MAX_MS (INT64_C(6) * 60 * 60 * 1000)

/* An id that a program has given to a QSO, and the program's name in upper case. Both are printable
 * ASCII. */
#define CONTACT_PROGRAM_MAX 32
#define CONTACT_ID_MAX 64
struct contact_id {
    struct text program, id;
};

/* Programs whose ids are never read from a record: PoLo, which receives QSOs under these ids, and
 * this service, which keeps the clientIds of QSOs that were merged into others. */
#define CONTACT_POLO "POLO"
#define CONTACT_QSOSYNC "QSOSYNC"

/* The callsigns that the log's member or station has or had, without prefixes and suffixes. */
struct contact_own {
    const struct match_callsign *callsigns;
    size_t count;
};

/* Returns whether the callsign is one of the log's own, perhaps with a prefix or suffix. */
bool contact_is_own(const struct contact_own *own, const struct match_callsign *callsign);

/* The values that identify a contact. All values except the name are copies. */
struct contact {
    struct match_callsign station; /* empty: one of the log's own callsigns */
    struct match_callsign worked;  /* empty: not specified */
    struct text name;              /* name of the operator worked; no text: not specified */
    int64_t band;
    int64_t start_ms, end_ms; /* end_ms equals start_ms if the end is unknown */
    int64_t frequency_khz;    /* 0: not specified */
    int64_t channel;          /* 0: not specified */
    int64_t mode_family;      /* MATCH_NO_MODE: not specified */
    bool is_heard;            /* whether the station was only heard */
};

/* Reads a contact from a QSO. The contact refers to the caller's `name`. An end_ms that is not
 * after the start, or is more than CONTACT_LENGTH_MAX_MS after the start, counts as unknown. A QSO
 * without an operator callsign has one of the log's own callsigns. */
void contact_read(const struct qso *qso, struct text name, int64_t end_ms,
                  const struct contact_own *own, struct contact *out);

/* Compares two descriptions. Returns the number of differences, 0 or 1, if both describe the same
 * contact, and otherwise CONTACT_ANOTHER. */
#define CONTACT_ANOTHER (-1)
int contact_compare(const struct contact *one, const struct contact *other);

/* Returns whether two contacts can both have this id. The contacts are two records of one run, or a
 * record and another record's QSO. */
bool contact_may_share(struct contact_id id, const struct contact *one,
                       const struct contact *other);

/* Returns whether the record and the stored QSO with the record's id are probably the same
 * contact. */
bool contact_is_believed(struct contact_id id, const struct contact *record,
                         const struct contact *stored);

#endif
