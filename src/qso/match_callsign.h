/* Callsigns in the form that is compared. */
#ifndef QSOSYNC_QSO_MATCH_CALLSIGN_H
#define QSOSYNC_QSO_MATCH_CALLSIGN_H

#include <stdbool.h>

#include "base/letters.h"

#define MATCH_CALLSIGN_BYTES CALLSIGN_BYTES_MAX

/* A callsign in the form that is compared. */
struct match_callsign {
    char bytes[MATCH_CALLSIGN_BYTES];
    size_t length;
};

static inline struct text match_text(const struct match_callsign *callsign)
{
    return (struct text){callsign->bytes, callsign->length};
}

/* Operators write 21-SD-333, 21 SD 333 and 21sd333: letters without case, no separators. A suffix
 * such as /P is part of the callsign. No text gives an empty one. */
void match_normalise_callsign(struct text text, struct match_callsign *out);

/* The same for the key that the schema stores: SQLite compares only ASCII letters without case. No
 * text for a callsign without other letters. */
struct text match_find_unicode_key(struct text text, struct match_callsign *key);

/* The base callsign, without the parts that only say where or how the station operates, for a
 * callsign in the compared form. These parts are division numbers before or after it, and the
 * suffixes P, M, MM, AM and QRP: 161/21SD333, 21SD333/P and 161/21SD333/M all give 21SD333. If not
 * exactly one part remains, the result is the callsign itself. */
void match_base_callsign(const struct match_callsign *callsign, struct match_callsign *out);

bool match_equal_callsigns(const struct match_callsign *a, const struct match_callsign *b);

/* Callsigns are compared as operators write them: 21-SD-333, 21 SD 333 and 21sd333 are one. */
bool match_same_callsign(struct text a, struct text b);

#endif
