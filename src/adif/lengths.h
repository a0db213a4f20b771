/* Finds the end of a field's value. Lengths in real files often differ from the byte counts that
 * the format requires. Some programs count characters, the line ends in some files were converted,
 * and some lengths are simply wrong. */
#ifndef QSOSYNC_ADIF_LENGTHS_H
#define QSOSYNC_ADIF_LENGTHS_H

#include <stdbool.h>
#include <stddef.h>

#include "adif/tag.h"
#include "base/text.h"

struct lengths_value {
    size_t end; /* position after the value */
    /* whether the next tag or the end of the file follows, perhaps after white space */
    bool is_exact;
    /* whether the value contains an <EOR> and then text that looks like another field */
    bool holds_record;
    bool cut; /* whether text that can belong to the value follows without a space */
};

/* Finds the end of the value that begins at `start` in the bytes of a file. `mark` is the first end
 * of a record at or after `start`. Returns NULL, or the reason why the length cannot be right: a
 * constant text that follows the field's name. */
const char *lengths_find_value(struct text bytes, size_t start, size_t length,
                               const struct mark *mark, struct lengths_value *out);

#endif
