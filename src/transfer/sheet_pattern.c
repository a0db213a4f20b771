/* The expressions have no references to their own parts, so the time depends only on the length of
 * the cell. */
#include "transfer/sheet_pattern.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

/* Copies the text with a space for each blank. Returns false if the text is too long. */
static bool copy(struct text text, char out[SHEET_VALUE_MAX + 1])
{
    size_t length = 0;
    text = text_trim(text);
    if (text.length > SHEET_VALUE_MAX || text_has_nul(text))
        return false;
    for (size_t i = 0; i < text.length; i++) {
        const struct text rest = text_skip(text, i);
        const size_t wide = text_begins_ignoring_case(rest, "\xC2\xA0")       ? 2
                            : text_begins_ignoring_case(rest, "\xE2\x80\xAF") ? 3
                                                                              : 0;
        out[length++] = wide || isspace((unsigned char)text.bytes[i]) ? ' ' : text.bytes[i];
        i += wide ? wide - 1 : 0;
    }
    out[length] = '\0';
    return true;
}

bool sheet_matches(struct sheet_pattern *pattern, struct text text, struct sheet_match *match)
{
    regmatch_t places[SHEET_PARTS_MAX];
    if (!pattern->is_compiled) {
        const int flags = REG_EXTENDED | (pattern->ignores_case ? REG_ICASE : 0);
        const int failure = regcomp(&pattern->compiled, pattern->expression, flags);
        assert(!failure);
        (void)failure;
        pattern->is_compiled = true;
    }
    if (!copy(text, match->bytes) ||
        regexec(&pattern->compiled, match->bytes, SHEET_PARTS_MAX, places, 0) != 0)
        return false;
    for (size_t i = 0; i < SHEET_PARTS_MAX; i++)
        match->parts[i] = places[i].rm_so < 0
                              ? (struct text){match->bytes, 0}
                              : (struct text){match->bytes + places[i].rm_so,
                                              (size_t)(places[i].rm_eo - places[i].rm_so)};
    return true;
}

int sheet_number_of(struct text digits)
{
    int number = 0;
    for (size_t i = 0; i < digits.length && i < 9; i++)
        number = number * 10 + (digits.bytes[i] - '0');
    return number;
}
