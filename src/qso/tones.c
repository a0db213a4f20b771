/* Reads tones as readTone in src/web/shared/words/tuning.js does; t/data/tunings.tsv contains cases
 * for both. */
#include "qso/tones.h"

#include <ctype.h>
#include <string.h>

#include "base/format.h"

#define NONE(value)
static const char *const hz_by_number[] = {
#define CTCSS(hz) hz,
#define MORE NONE
#define DCS NONE
#include "schema/tone_rows.inc"
#undef CTCSS
#undef MORE
};
static const char *const more_hz[] = {
#define CTCSS NONE
#define MORE(hz) hz,
#include "schema/tone_rows.inc"
#undef MORE
#undef DCS
};
static const char *const dcs_codes[] = {
#define MORE NONE
#define DCS(code) code,
#include "schema/tone_rows.inc"
#undef CTCSS
#undef MORE
#undef DCS
};

#define LENGTH(array) (sizeof(array) / sizeof *(array))

int tones_number(struct text ctcss)
{
    for (size_t i = 0; i < LENGTH(hz_by_number); i++)
        if (text_equals(ctcss, text_of(hz_by_number[i])))
            return (int)i + 1;
    return 0;
}

static void add(struct tone_read *out, const char *ctcss, struct text code, char end)
{
    if (out->count == TONES_MEANT_MAX)
        return;
    struct tone *tone = &out->tones[out->count++];
    *tone = (struct tone){0};
    if (code.bytes)
        format_cut(tone->dcs, sizeof tone->dcs, "D%.*s%.1s", (int)code.length, code.bytes,
                   end == 'i' || end == 'r' ? "I"
                   : end                    ? "N"
                                            : "");
    else
        format_cut(tone->ctcss, sizeof tone->ctcss, "%s", ctcss);
}

/* Returns whether the tone's whole number of Hz has exactly these digits. */
static bool begins(const char *hz, struct text digits)
{
    return strncmp(hz, digits.bytes, digits.length) == 0 && hz[digits.length] == '.';
}

/* Adds the tones that a number above 38 can mean: radios number these tones differently, and people
 * also leave out the decimal, or the letters of a DCS code. */
static bool ask(struct text digits, int64_t number, struct tone_read *out)
{
    for (size_t i = 0; i < LENGTH(dcs_codes); i++)
        if (text_equals(digits, text_of(dcs_codes[i]))) {
            add(out, NULL, digits, 'n');
            add(out, NULL, digits, 'i');
        }
    const int64_t more = number - (int64_t)LENGTH(hz_by_number) - 1;
    if (more >= 0 && more < (int64_t)LENGTH(more_hz))
        add(out, more_hz[more], (struct text){0}, 0);
    for (size_t i = 0; i < LENGTH(hz_by_number); i++)
        if (begins(hz_by_number[i], digits))
            add(out, hz_by_number[i], (struct text){0}, 0);
    for (size_t i = 0; i < LENGTH(more_hz); i++)
        if (begins(more_hz[i], digits))
            add(out, more_hz[i], (struct text){0}, 0);
    out->is_unclear = true;
    return out->count > 0;
}

static bool is_tone(const char *hz)
{
    for (size_t i = 0; i < LENGTH(hz_by_number); i++)
        if (strcmp(hz, hz_by_number[i]) == 0)
            return true;
    for (size_t i = 0; i < LENGTH(more_hz); i++)
        if (strcmp(hz, more_hz[i]) == 0)
            return true;
    return false;
}

/* Reads a number of a tone, or a tone in Hz, from its digits and the text after them. */
static bool read_number(struct text digits, struct text rest, struct tone_read *out)
{
    char hz[TONE_SIZE];
    int64_t number;
    const bool has_decimal =
        rest.length > 1 && rest.bytes[0] == '.' && isdigit((unsigned char)rest.bytes[1]);
    const struct text unit = text_trim(text_skip(rest, has_decimal ? 2 : 0));
    if (digits.length > 3 || (unit.length > 0 && !text_equals(unit, text_of("hz"))))
        return false;
    format_cut(hz, sizeof hz, "%.*s.%c", (int)digits.length, digits.bytes,
               has_decimal ? rest.bytes[1] : '0');
    if (has_decimal || unit.length > 0) {
        add(out, hz, (struct text){0}, 0);
        return has_decimal ? digits.length > 1 : is_tone(hz);
    }
    if (!text_parse_integer(digits, 1, 999, &number))
        return false;
    if (digits.length == 3 || number > (int64_t)LENGTH(hz_by_number))
        return ask(digits, number, out);
    add(out, hz_by_number[number - 1], (struct text){0}, 0);
    return true;
}

static bool is_octal(struct text text)
{
    for (size_t i = 0; i < text.length; i++)
        if (text.bytes[i] < '0' || text.bytes[i] > '7')
            return false;
    return text.length == 3;
}

bool tones_read(struct text text, struct tone_read *out)
{
    static const char *const beginnings[] = {"dcs", "dtcs", "dpl", "d", ""};
    *out = (struct tone_read){0};
    text = text_trim(text);
    if (text.length == 0 || text_equals(text, text_of("0")))
        return true;
    const size_t leading = text_count_leading(text, isdigit);
    const struct text digits = {text.bytes, leading};
    const struct text end = text_trim(text_skip(text, leading));
    const bool has_end = end.length == 1 && strchr("nir", end.bytes[0]);
    if (leading > 0 && !has_end)
        return read_number(digits, text_skip(text, leading), out);
    for (size_t i = 0; i < LENGTH(beginnings); i++) {
        if (!text_begins_ignoring_case(text, beginnings[i]))
            continue;
        const struct text rest = text_trim(text_skip(text, strlen(beginnings[i])));
        const struct text code = {rest.bytes, rest.length < 3 ? rest.length : 3};
        const struct text polarity = text_trim(text_skip(rest, code.length));
        if (!is_octal(code) || polarity.length > 1 ||
            (polarity.length == 1 && !strchr("nir", polarity.bytes[0])))
            continue;
        add(out, NULL, code, polarity.length ? polarity.bytes[0] : 0);
        return true;
    }
    return false;
}
