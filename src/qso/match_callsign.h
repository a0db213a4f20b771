/* Callsigns in the normalised spelling that is used for comparison. */
#ifndef QSOSYNC_QSO_MATCH_CALLSIGN_H
#define QSOSYNC_QSO_MATCH_CALLSIGN_H

#include <stdbool.h>

#include "base/letters.h"

#define MATCH_CALLSIGN_BYTES CALLSIGN_BYTES_MAX

struct match_callsign {
    char bytes[MATCH_CALLSIGN_BYTES]; /* not NUL-terminated */
    size_t length;
};

static inline struct text match_text(const struct match_callsign *callsign)
{
    return (struct text){callsign->bytes, callsign->length};
}

/* Normalises a callsign: converts all letters to one case and removes separators. Operators write
 * 21-SD-333, 21 SD 333 and 21sd333. A suffix such as /P is part of the callsign. If there is no
 * text, the callsign is empty. */
void match_normalise_callsign(struct text text, struct match_callsign *out);

/* Returns the normalised callsign if the callsign is not all ASCII, and no text otherwise. The
 * schema stores this key for searches, because SQLite ignores case only for ASCII letters. */
struct text match_find_unicode_key(struct text text, struct match_callsign *key);

/* Finds the base of a normalised callsign, without the parts that show only where or how the
 * station operates. These parts are division numbers before or after the base, and the suffixes P,
 * M, MM, AM and QRP. 161/21SD333, 21SD333/P and 161/21SD333/M all have the base 21SD333. If the
 * number of remaining parts is not one, the result is the whole callsign. */
void match_base_callsign(const struct match_callsign *callsign, struct match_callsign *out);

bool match_equal_callsigns(const struct match_callsign *a, const struct match_callsign *b);

/* Returns whether two callsigns are equal, in any spelling: 21-SD-333, 21 SD 333 and 21sd333 are
 * equal. */
bool match_same_callsign(struct text a, struct text b);

#endif
