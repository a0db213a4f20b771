/* Reads ADIF (ADI) piece by piece: bytes are fed, records come out.
 *
 * Holds no more than one record, of at most READER_RECORD_MAX bytes, whatever the file's size.
 * A length is tried as bytes, then as characters, then as bytes with CRLF line ends. If none fits,
 * that record is refused, never another one. A file in ADX, the XML form, is one fault that says
 * so. */
#ifndef QSOSYNC_ADIF_READER_H
#define QSOSYNC_ADIF_READER_H

#include "adif/record.h"
#include "adif/lengths.h"

#define READER_RECORD_MAX TAG_LENGTH_MAX /* bytes, with the comments before and in it */

enum reader_event {
    READER_MORE,   /* feed more bytes, or say that there are none */
    READER_HEADER, /* the fields before an <EOH> */
    READER_RECORD,
    READER_WRONG, /* a record that cannot be read: see the fault */
    READER_END
};

/* Why a record cannot be read. */
struct reader_fault {
    int64_t number; /* of the record, from 1 */
    int64_t line;
    struct text field;  /* the field's name; no text: the record as a whole */
    const char *reason; /* constant; follows the name: "has no length" */
};

struct reader;

/* Never returns NULL; reader_free frees it. */
struct reader *reader_create(void);
void reader_free(struct reader *reader); /* NULL is allowed */

/* Takes a copy of the bytes. To be called only after READER_MORE, or at the start. */
void reader_feed(struct reader *reader, const void *bytes, size_t length);

/* There are no more bytes. A last record without <EOR> counts. */
void reader_finish(struct reader *reader);

/* The next event. A record (READER_HEADER, READER_RECORD) or a fault (READER_WRONG) is filled and
 * valid until the next call of any function. */
enum reader_event reader_next(struct reader *reader, struct record *record,
                              struct reader_fault *fault);

#endif
