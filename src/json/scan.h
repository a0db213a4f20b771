/* Checks JSON text before json-c parses it. json-c accepts more than JSON, limits only nesting, and
 * silently changes some texts and numbers. The scan rejects, limits or rewrites such input. json-c
 * checks the order of brackets, commas and colons. */
#ifndef QSOSYNC_JSON_SCAN_H
#define QSOSYNC_JSON_SCAN_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"

#define JSON_NESTING_MAX 32
#define JSON_ITEMS_MAX 262144 /* names and values; 200 QSOs with every field contain 13,000 */

/* The bounds of a text. The scan ends if the text exceeds a bound. */
struct json_bounds {
    size_t items_max;     /* names and values; at most JSON_ITEMS_MAX */
    const char *lists[2]; /* names of the object's fields that are bounded lists; NULL: no list */
    size_t elements_max;  /* maximum number of elements in each list */
};

/* The message if a list has more elements than the bounds allow. Callers compare the message's
 * address. */
extern const char json_list_too_long[];

struct json_scanned {
    struct text text; /* for json-c: the scanned text, or a copy in the arena */
    size_t memory;    /* an upper bound for the memory that json-c needs for the text, in bytes */
};

#define JSON_LOST_DIGITS 4

/* Scans a text up to its end or until the text exceeds a bound. json-c would lose U+0000 and
 * unpaired surrogates. In *out, these become U+0000 and the four digits of the escape that was
 * sent. In a name, they become "?" and these digits, so that the name matches no field. A ".0" is
 * appended to an integer that might exceed 64 bits. Returns NULL, or the reason for the rejection,
 * as text for the client. */
const char *json_scan(struct text json, const struct json_bounds *bounds, struct arena *arena,
                      struct json_scanned *out);

#endif
