/* The tags between which the values of an ADIF file stand: <NAME:LENGTH:TYPE>, <EOR>, <EOH>. */
#ifndef QSOSYNC_ADIF_TAG_H
#define QSOSYNC_ADIF_TAG_H

#include <stdbool.h>

#include "base/text.h"

#define TAG_LENGTH_MAX 1048576 /* of a value, bytes */
#define TAG_NAME_MAX 64        /* bytes */

enum tag_kind { TAG_NONE, TAG_FIELD, TAG_RECORD_END, TAG_HEADER_END, TAG_MARK, TAG_WRONG };

struct tag {
    enum tag_kind kind;
    struct text name;
    size_t length;      /* as it is written */
    size_t end;         /* after the > */
    bool incomplete;    /* TAG_NONE: its > may still come */
    const char *reason; /* TAG_WRONG */
};

/* Reads the tag whose < is at `at` in bytes, which end where the file does if finished. */
struct tag tag_read(struct text bytes, size_t at, bool finished);

#endif
