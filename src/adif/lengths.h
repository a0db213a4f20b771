/* Finds the end of a field's value. Lengths in real files often differ from the byte counts that
 * the format requires. Some programs count characters, some files had their line ends converted,
 * and some lengths are simply wrong. */
#ifndef QSOSYNC_ADIF_LENGTHS_H
#define QSOSYNC_ADIF_LENGTHS_H

#include <stdbool.h>
#include <stddef.h>

#include "adif/tag.h"
#include "base/text.h"

struct lengths_value {
    size_t end;        /* after the value */
    bool is_exact;     /* the next tag or the end of the file follows, perhaps after white space */
    bool holds_record; /* the value contains an <EOR> and then text that looks like another field */
    bool cut;          /* text that may belong to the value follows without a space */
};

/* Finds the end of the value that begins at start in the bytes of a file. mark is the first end of
 * a record at or after start. Returns NULL, or why the length cannot be right: constant, follows
 * the field's name. */
const char *lengths_find_value(struct text bytes, size_t start, size_t length,
                               const struct mark *mark, struct lengths_value *out);

#endif
