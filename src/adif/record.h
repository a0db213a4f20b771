/* A record in an ADIF file: the fields in the file's order. */
#ifndef QSOSYNC_ADIF_RECORD_H
#define QSOSYNC_ADIF_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

struct record_field {
    struct text name;  /* as written, in upper or lower case */
    struct text value; /* bytes from the file; UTF-8 after encoding_read_record */
    int64_t line;      /* the line number, from 1; 0: not from a file */
    /* a notice about the encoding, to be shown after the field's name; NULL: no notice */
    const char *notice;
    /* whether more text follows without a space, so that the length can be too small and the value
     * incomplete */
    bool cut;
};

struct record {
    int64_t number; /* the record's number, from 1 */
    int64_t line;   /* line number of the first field */
    struct record_field *fields;
    size_t count;
};

#endif
