/* A record of an ADIF file: its fields in the order of the file, the names that have a place in a
 * QSO, and the record as bytes. */
#ifndef QSOSYNC_ADIF_RECORD_H
#define QSOSYNC_ADIF_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/text.h"
#include "qso/qso.h"

struct record_field {
    struct text name;   /* in upper or lower case */
    struct text value;  /* the bytes of the file; UTF-8 after encoding_read_record */
    int64_t line;       /* from 1; 0: not from a file */
    const char *notice; /* notice about its encoding, to follow its name; NULL: none */
    bool cut; /* more text follows without a space: the length may be too small, and the value
                 incomplete */
};

struct record {
    int64_t number; /* from 1 */
    int64_t line;   /* line of the first field */
    struct record_field *fields;
    size_t count;
};

/* Sorts the fields of a record by name: those of ADIF for which a QSO has one, our own extra
 * fields, and the rest. */

/* NULL: the record has no such field. */
struct slots {
    const struct record_field *standard[SLOT_COUNT];
    const struct record_field *extra[FIELD_COUNT];
    const struct record_field **rest; /* all other fields, in the record's order */
    size_t rest_count;
};

/* If a field is repeated, its last non-empty value counts. The list of the rest is in the arena. */
void slots_sort(const struct record *record, struct arena *arena, struct slots *out);

/* The standard fields (schema/fields.json). */
extern const struct slot_facts {
    const char *name;      /* in upper case */
    bool is_free_text;     /* its value may hold anything */
    enum adif_group group; /* fields that have a meaning only together */
} slot_table[SLOT_COUNT];

/* True for the name of a free text, in any case. */
bool slots_is_free_text_name(struct text name);

/* Appends the text. Bytes other than printable ASCII, and % and <, become %XX. */
void encoding_percent_encode(struct text text, struct buffer *buffer);

/* True if every byte is below 0x80. */
bool encoding_is_ascii(struct text text);

/* Writes ADIF (ADI): records as bytes, with lengths in bytes of UTF-8. */

#define WRITER_CALLSIGN_FIELD "APP_QSOSYNC_CALLSIGN" /* for the header: the log's callsign */

/* for the header: the number of records that follow */
#define WRITER_RECORDS_FIELD "APP_QSOSYNC_RECORDS"

/* Appends the header. now_ms is the time of the export. records: the number of records that follow;
 * negative: unknown. */
void writer_append_header(struct buffer *out, struct text callsign, const char *version,
                          int64_t now_ms, int64_t records);

/* Appends one record, on a line of its own. */
void writer_append_record(struct buffer *out, const struct record *record);

/* Appends a last line, without which a file is incomplete. Readers skip it, because text between
 * the fields has no meaning in ADIF. */
void writer_append_end(struct buffer *out, int64_t records);

/* Returns the buffer's text in the arena, no text if it is empty, and frees the buffer. */
struct text encoding_take(struct buffer *buffer, struct arena *arena);

#endif
