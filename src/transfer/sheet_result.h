/* The records that are made of a sheet, with remarks on rows that a person should check. */
#ifndef QSOSYNC_TRANSFER_SHEET_RESULT_H
#define QSOSYNC_TRANSFER_SHEET_RESULT_H

#include <stddef.h>

#include "base/buffer.h"

enum sheet_remark_kind {
    REMARK_NEXT_DAY,   /* the time counts as the next day */
    REMARK_OTHER_YEAR, /* a date without a year is in another year than the date above */
    REMARK_TWICE,      /* the local time exists twice */
    REMARK_SKIPPED,    /* the local time does not exist */
    REMARK_NOTE,       /* the row is not a QSO */
    REMARK_OMITTED     /* an answer leaves the row out */
};

#define SHEET_REMARKS_MAX 1000 /* further remarks are only counted */

struct sheet_remark {
    enum sheet_remark_kind kind;
    size_t row;
    const char *text;
};

struct sheet_records {
    struct buffer adi;  /* the caller frees both buffers */
    struct buffer rows; /* int64_t: the number of the row of each record */
    struct sheet_remark remarks[SHEET_REMARKS_MAX];
    size_t remark_count;
};

#endif
