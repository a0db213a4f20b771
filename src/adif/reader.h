/* Reads ADIF (ADI): the records in a file, one after the other.
 *
 * A length is tried in bytes, characters and UTF-16 code units, and then as if the line ends in
 * the file had been changed. If no attempt fits, only that record is rejected. If the end of a
 * record is missing between two records, both are rejected as one record. If no end follows in the
 * rest of the file, a repeated field, such as CALL, begins the next record. A file in ADX, the XML
 * form, and wsjtx.log are converted first; ADX that is not valid is reported as one fault.
 * t/data/adif_records.tsv contains the test cases, which the readers of the client kit and the
 * pages share. */
#ifndef QSOSYNC_ADIF_READER_H
#define QSOSYNC_ADIF_READER_H

#include "adif/record.h"
#include "base/arena.h"
#include "adif/tag.h"

/* maximum length of a record, including the comments before and inside the record */
#define READER_RECORD_MAX TAG_LENGTH_MAX

enum reader_event {
    READER_HEADER, /* the fields before an <EOH> */
    READER_RECORD,
    READER_WRONG, /* a record that cannot be read; the fault contains the reason */
    READER_END
};

/* The reason why a record cannot be read. */
struct reader_fault {
    int64_t number; /* number of the record, from 1 */
    int64_t line;
    struct text field;  /* the field's name; no text: the fault concerns the record as a whole */
    const char *reason; /* a constant text that follows the field's name, such as "has no length" */
};

struct reader;

/* Creates a reader in the arena. The file must outlive the reader. */
struct reader *reader_create(struct text file, struct arena *arena);

/* Returns the next event, and fills *record (READER_HEADER, READER_RECORD) or *fault
 * (READER_WRONG). The record's list of fields is valid until the next call. */
enum reader_event reader_next(struct reader *reader, struct record *record,
                              struct reader_fault *fault);

/* Returns the text that is read: the file, or the ADI to which it was converted. */
struct text reader_text(const struct reader *reader);

/* Returns the number of bytes of this text that have been read so far. */
size_t reader_position(const struct reader *reader);

#endif
