/* A row of the mapping table, the data that its functions receive, and these functions. */
#ifndef QSOSYNC_ADIF_ROWS_H
#define QSOSYNC_ADIF_ROWS_H

#include "adif/modes.h"
#include "adif/record.h"
#include "qso/contact.h"
#include "qso/fields.h"
#include "qso/qso.h"

/* The kind of a notice about a field. */
enum mapped_notice {
    NOTICE_REFUSED,  /* the record is refused because of it */
    NOTICE_LEFT_OUT, /* the value is invalid; the QSO is saved without it */
    NOTICE_CHANGED,  /* it was rounded or cut to fit */
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

/* A record as a QSO. Fields that the record does not hold are VALUE_OMITTED, including a clientId
 * that is not a UUID. */
struct mapped {
    struct qso qso;
    bool client_id_invalid; /* the clientId is not a UUID */
    /* id of the QSO without a clientId that the record was written from; 0: none */
    int64_t id;
    int64_t created_at_ms; /* time of that QSO's creation */
    bool to_minute;        /* TIME_ON had no seconds */
    bool whole_notes;      /* the notes come from our extra field */
    /* otherwise: the parts of the notes in the record, including the mode line */
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
    enum slot intl; /* the same for texts that are not ASCII; SLOT_NONE: no such field */
    void (*read)(struct reading *reading, const struct row *row); /* NULL: read with the tuning */
    void (*write)(struct writing *writing, const struct row *row);
    const char *letters;   /* that the field accepts; for a choice, one per value that ADIF has */
    const char *otherwise; /* why other texts are rejected */
};

/* Convert standard fields of ADIF to values of a QSO: the functions that rows of the mapping table
 * name. */

/* Each function fills the value of its row if the record holds one, and reports invalid values. */
void from_fields_text(struct reading *reading, const struct row *row);
void from_fields_station(struct reading *reading, const struct row *row);
void from_fields_frequency(struct reading *reading, const struct row *row);
void from_fields_channel(struct reading *reading, const struct row *row);
void from_fields_locator(struct reading *reading, const struct row *row);
void from_fields_coordinate(struct reading *reading, const struct row *row);
void from_fields_power(struct reading *reading, const struct row *row);
void from_fields_split(struct reading *reading, const struct row *row);
void from_fields_letter(struct reading *reading, const struct row *row);
void from_fields_qsl(struct reading *reading, const struct row *row);

/* Read the time and the band, which the whole record depends on. False: the record is refused, and
 * the reason reported. */
bool from_fields_time(struct reading *reading);
bool from_fields_band_match(struct reading *reading, struct band_match_fields *said);

/* The text of a standard field in UTF-8, trimmed; length 0: the field is missing or empty. */
struct text from_fields_take(struct reading *reading, enum slot slot);

/* Parses a text as the value of the row. An invalid text is left out and reported. */
void from_fields_keep_text(struct reading *reading, const struct row *row, enum slot slot,
                           struct text text);

/* The first function gives a notice about a field if the caller wants notices. The second one
 * reports that the value of a standard field is left out. reason lives as long as the arena. */
void from_fields_report(struct reading *reading, enum mapped_notice notice,
                        const struct record_field *field, const char *reason);
void from_fields_leave_out(struct reading *reading, enum slot slot, const char *reason);

/* The mode and the notes of a QSO from standard fields of ADIF. They belong together: the exact
 * name of a digital mode is kept in the notes. */

/* Functions for rows of the mapping table; the mode's row comes first. */
void from_notes_mode(struct reading *reading, const struct row *row);
void from_notes_text(struct reading *reading, const struct row *row);

/* Convert values of a QSO to standard fields of ADIF: the functions that rows of the mapping table
 * name. */

/* Each adds the fields of its row for a QSO that has the value. */
void to_fields_text(struct writing *writing, const struct row *row);
void to_fields_station(struct writing *writing, const struct row *row);
void to_fields_time(struct writing *writing, const struct row *row);
void to_fields_band(struct writing *writing, const struct row *row);
void to_fields_frequency(struct writing *writing, const struct row *row);
void to_fields_mode(struct writing *writing, const struct row *row);
void to_fields_plain(struct writing *writing, const struct row *row);
void to_fields_coordinate(struct writing *writing, const struct row *row);
void to_fields_split(struct writing *writing, const struct row *row);
void to_fields_letter(struct writing *writing, const struct row *row);
void to_fields_qsl(struct writing *writing, const struct row *row);
void to_fields_notes(struct writing *writing, const struct row *row);

/* Return a text without control characters, and without a < that other programs would mistake for
 * the beginning of a field. The forms are: on one line; on several lines with CR LF; or with its
 * original breaks and tabs. */
enum escape_mode { ESCAPE_LINE, ESCAPE_LINES, ESCAPE_AS_IT_CAME };
struct text to_fields_escape_text(struct writing *writing, struct text text, enum escape_mode mode);

/* Adds the person who made the QSO. */
void to_fields_operator(struct writing *writing, struct text maker);

/* Adds a standard field, unless the value is empty. */
void to_fields_add(struct writing *writing, enum slot slot, struct text value);

/* Adds the field APP_QSOSYNC_… with the value as the API writes it; length 0: null. */
void to_fields_extra(struct writing *writing, enum field_index field);

/* Serial numbers of contests. ADIF stores them separately from the report; operators give both
 * together. A QSO holds them in its report: "59 012". */

/* Whether the one report is the other one with a serial. */
bool serials_adds(struct text joined, struct text report);

/* Functions of rows whose slot is SLOT_RST_SENT or SLOT_RST_RCVD: the report with the serial of the
 * same direction. A number is written as STX or SRX, any other serial as STX_STRING or SRX_STRING.
 * When reading, a serial that makes the report too long is left out and reported. */
void serials_read(struct reading *reading, const struct row *row);
void serials_write(struct writing *writing, const struct row *row);

#endif
