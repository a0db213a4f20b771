/* Checks JSON text before json-c parses it. json-c accepts more than JSON, limits only nesting, and
 * silently changes some texts and numbers. The scan rejects, counts or rewrites such input, and
 * leaves brackets, commas and colons to json-c. */
#ifndef QSOSYNC_JSON_SCAN_H
#define QSOSYNC_JSON_SCAN_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"

#define JSON_NESTING_MAX 32
#define JSON_ITEMS_MAX 262144 /* names and values; 200 QSOs with every field have 13,000 */

/* The bounds of a text. The scan ends when the text exceeds a bound. */
struct json_bounds {
    size_t items_max;     /* names and values; at most JSON_ITEMS_MAX */
    const char *lists[2]; /* fields of the object that are lists; NULL: none */
    size_t elements_max;  /* per list */
};

/* The message if a list has more elements than the bounds allow. Callers compare its address. */
extern const char json_list_too_long[];

struct json_scanned {
    struct text text; /* for json-c: the scanned text, or a copy in the arena */
    size_t memory;    /* bytes that json-c needs for the text, at most */
};

#define JSON_LOST_DIGITS 4

/* Scans a text up to its end or its bounds. In *out, U+0000 and half of a surrogate pair, which
 * json-c would lose, become U+0000 and the four digits of the escape that was sent. In a name they
 * become "?" and these digits, which match no field. A whole number that might not fit 64 bits ends
 * in ".0". Returns NULL, or the reason of the rejection, in words for the client. */
const char *json_scan(struct text json, const struct json_bounds *bounds, struct arena *arena,
                      struct json_scanned *out);

#endif
