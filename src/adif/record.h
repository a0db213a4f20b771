/* A record of an ADIF file: its fields in the order of the file. */
#ifndef QSOSYNC_ADIF_RECORD_H
#define QSOSYNC_ADIF_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

struct record_field {
    struct text name;   /* in upper or lower case */
    struct text value;  /* the bytes of the file; UTF-8 after encoding_read_record */
    int64_t line;       /* from 1; 0: not from a file */
    const char *notice; /* notice about the encoding, which follows the name; NULL: none */
    bool cut; /* more text follows without a space: the length may be too small, and the value
                 incomplete */
};

struct record {
    int64_t number; /* from 1 */
    int64_t line;   /* line of the first field */
    struct record_field *fields;
    size_t count;
};

#endif
