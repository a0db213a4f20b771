/* Normalises callsigns with base/letters.c, and finds the part that identifies a station. */
#include "qso/match_callsign.h"

#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "qso/divisions.h"

void match_normalise_callsign(struct text text, struct match_callsign *out)
{
    out->length = letters_of_callsign(text, out->bytes, sizeof out->bytes);
}

struct text match_find_unicode_key(struct text text, struct match_callsign *key)
{
    if (text_count_leading(text, isascii) == text.length)
        return (struct text){0};
    match_normalise_callsign(text, key);
    return match_text(key);
}

bool match_equal_callsigns(const struct match_callsign *a, const struct match_callsign *b)
{
    return a->length == b->length && memcmp(a->bytes, b->bytes, a->length) == 0;
}

bool match_same_callsign(struct text a, struct text b)
{
    struct match_callsign normal_a, normal_b;
    match_normalise_callsign(a, &normal_a);
    match_normalise_callsign(b, &normal_b);
    return match_equal_callsigns(&normal_a, &normal_b);
}

/* Returns whether a part of a callsign between slashes does not identify the station. */
static bool is_affix(struct text part)
{
    return text_is_one_of(part, "P M MM AM QRP") || divisions_read_number(part) != DIVISIONS_NONE;
}

void match_base_callsign(const struct match_callsign *callsign, struct match_callsign *out)
{
    struct text rest = match_text(callsign), base = {0};
    *out = *callsign;
    while (rest.bytes) {
        struct text part = text_split_next(&rest, '/');
        if (is_affix(part))
            continue;
        if (base.bytes)
            return;
        base = part;
    }
    if (base.length == 0)
        return;
    memcpy(out->bytes, base.bytes, base.length);
    out->length = base.length;
}
