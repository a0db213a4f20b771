/* A record of an ADIF file: its fields in the order of the file. */
#ifndef QSOSYNC_ADIF_RECORD_H
#define QSOSYNC_ADIF_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

struct record_field {
    struct text name;  /* in any case */
    struct text value; /* the bytes of the file; encoding.h makes UTF-8 of them */
    int64_t line;      /* from 1; 0: not from a file */
    bool cut; /* more text follows without a space: the length is perhaps too small, and the value
                 not whole */
};

struct record {
    int64_t number; /* from 1 */
    int64_t line;   /* of the first field */
    struct record_field *fields;
    size_t count;
};

#endif
