/* Reads channels and frequencies as integers in Hz. */
#include "qso/tuning.h"

#include <ctype.h>
#include <string.h>

#include "qso/fields.h"
#include "qso/qso.h"

#define TEXT_BYTES_MAX 64 /* a longer text has no meaning */
#define CHANNEL_WORDS "channel canale canal kanaal kana\xc5\x82 kanal ch cb k # pmr446 pmr"
#define TONE_WORDS                                                                                 \
    "con com mit subtono subtone subton sub-tono sub-tone sub-ton tono tone ton ctcss dcs"
#define GRID_PLANS "ru5 ru0" /* plans with lettered grids */
#define NEAR_HZ 1000         /* tolerance for frequencies that other programs cut or round */

/* Copies the text without capitals, commas and repeated spaces. */
static struct text make_plain(struct text text, char out[TEXT_BYTES_MAX])
{
    size_t length = 0;
    text = text_trim(text);
    for (size_t i = 0; i < text.length && length < TEXT_BYTES_MAX; i++) {
        const bool is_wide = text_begins_ignoring_case(text_skip(text, i), "\xc2\xa0");
        const unsigned char byte = (unsigned char)text.bytes[i];
        const bool is_space = is_wide || isspace(byte);
        i += is_wide;
        if (is_space && length > 0 && out[length - 1] == ' ')
            continue;
        out[length++] = is_space ? ' ' : byte == ',' ? '.' : (char)tolower(byte);
        /* tolower() does not change the capital l with stroke of the Polish word. */
        if (length > 1 && memcmp(out + length - 2, "\xc5\x81", 2) == 0)
            out[length - 1] = '\x82';
    }
    return (struct text){out, text.length > TEXT_BYTES_MAX ? 0 : length};
}

static size_t count_of(struct text text, const char *bytes)
{
    size_t count = 0;
    while (count < text.length && text.bytes[count] && strchr(bytes, text.bytes[count]))
        count++;
    return count;
}

/* Returns the length of the word at the beginning of the text, or 0. */
static size_t find_word(struct text text, const char *words)
{
    struct text rest = text_of(words);
    while (rest.bytes) {
        const struct text word = text_split_next(&rest, ' ');
        if (word.length <= text.length && memcmp(word.bytes, text.bytes, word.length) == 0)
            return word.length;
    }
    return 0;
}

static bool begins_channel(struct text text)
{
    const size_t letter = text.length > 0 && text.bytes[0] >= 'a' && text.bytes[0] <= 'l';
    return text.length > letter && isdigit((unsigned char)text.bytes[letter]);
}

static struct text skip_channel_word(struct text text)
{
    const size_t word = find_word(text, CHANNEL_WORDS);
    if (word == 0)
        return text;
    const struct text rest = text_skip(text, word);
    const struct text after = text_skip(rest, count_of(rest, ". "));
    return begins_channel(after) ? after : text;
}

/* Reads a frequency in MHz, kHz or Hz. Without a unit and a point, only 27555, 555 and 27555000 are
 * frequencies. */
static bool read_hz(struct text text, int64_t *hz)
{
    char digits[16];
    const size_t whole = text_count_leading(text, isdigit);
    struct text rest = text_skip(text, whole);
    const bool has_point = rest.length > 1 && rest.bytes[0] == '.';
    const size_t places = has_point ? text_count_leading(text_skip(rest, 1), isdigit) : 0;
    const char *fraction = rest.bytes + 1;
    rest = text_skip(rest, places > 0 ? places + 1 : 0);
    const bool has_space = rest.length > 0 && rest.bytes[0] == ' ';
    rest = text_skip(rest, has_space);
    const size_t unit = text_equals(rest, text_of("mhz"))   ? 6
                        : text_equals(rest, text_of("khz")) ? 3
                                                            : 0;
    const bool has_unit = unit > 0 || text_equals(rest, text_of("hz"));
    if (whole < 2 || whole > 8 || (!has_unit && (rest.length > 0 || has_space)))
        return false;
    if (!has_unit && places == 0 && whole != 3 && whole != 5 && whole != 8)
        return false;
    const size_t decimals = has_unit ? unit : places > 0 ? 6 : 8 - whole;
    size_t length = 0;
    if (!has_unit && places == 0 && whole == 3)
        length = 2, memcpy(digits, "27", 2);
    memcpy(digits + length, text.bytes, whole);
    length += whole;
    const size_t end = length + (length == 5 && whole == 3 ? 3 : decimals);
    for (size_t i = 0; length < end; i++)
        digits[length++] = i < places ? fraction[i] : '0';
    return text_parse_integer((struct text){digits, length}, 0, INT64_MAX, hz);
}

/* Adds the channels that a number can mean in these plans, each frequency once. */
static bool find_in(const char *codes, char letter, int64_t number, struct tuning *out)
{
    struct text rest = text_of(codes);
    while (rest.bytes && out->count < TUNING_CHANNELS_MAX) {
        struct channel *found = &out->channels[out->count];
        const struct channel_plan *plan = channels_find_plan(text_split_next(&rest, ' '));
        bool is_new = channels_find(plan, letter, number, found);
        for (size_t i = 0; i < out->count; i++)
            is_new = is_new && out->channels[i].khz != found->khz;
        out->count += is_new;
    }
    return out->count > 0;
}

/* Reads the plan's code at the beginning of "uk 19". */
static const struct channel_plan *take_plan(struct text *text)
{
    for (size_t length = 2; length <= 6 && length < text->length; length++) {
        const struct channel_plan *plan = channels_find_plan((struct text){text->bytes, length});
        if (plan) {
            *text = text_trim(text_skip(*text, length));
            return plan;
        }
    }
    return NULL;
}

/* Reads a number of one or two digits, with the letter before or after it. */
static bool read_name(struct text text, char *letter, bool *is_after, int64_t *number)
{
    const bool before = text.length > 0 && text.bytes[0] >= 'a' && text.bytes[0] <= 'l';
    *letter = before ? (char)toupper((unsigned char)text.bytes[0]) : 0;
    text = text_skip(text, before);
    text = text_skip(text, before && text.length > 0 && strchr(" -", text.bytes[0]) ? 1 : 0);
    const size_t digits = text_count_leading(text, isdigit);
    if (digits < 1 || digits > 2 ||
        !text_parse_integer((struct text){text.bytes, digits}, 0, 99, number))
        return false;
    text = text_skip(text, digits);
    text = text_skip(text, text.length == 2 && strchr(" -", text.bytes[0]) ? 1 : 0);
    *is_after = text.length == 1 && !before && text.bytes[0] >= 'a' && text.bytes[0] <= 'l';
    if (*is_after)
        *letter = (char)toupper((unsigned char)text.bytes[0]);
    return text.length == 0 || *is_after;
}

static bool read_channel(struct text text, const struct channel_plan *plan, struct text callsign,
                         struct tuning *out)
{
    const struct channel_plan *named = take_plan(&text);
    const char *usual = channels_plans_of((struct text){0});
    char letter;
    int64_t number;
    bool is_after;
    if (!read_name(skip_channel_word(text), &letter, &is_after, &number))
        return false;
    if (named)
        find_in(named->code, letter, number, out);
    else if (is_after && letter == 'A')
        out->count = channels_find(NULL, 0, number, &out->channels[0]);
    else if (!find_in(plan ? plan->code : channels_plans_of(callsign), letter, number, out) &&
             !find_in(usual, letter, number, out) && !plan)
        find_in(GRID_PLANS, letter, number, out);
    if (out->count == 1)
        out->khz = out->channels[0].khz;
    return out->count > 0;
}

bool tuning_read(struct text text, const struct channel_plan *plan, struct text callsign,
                 struct tuning *out)
{
    static const char *const band_names[] = {"27mhz", "27 mhz", "11m", "11 m", "cb"};
    char bytes[TEXT_BYTES_MAX];
    int64_t hz;
    *out = (struct tuning){0};
    text = make_plain(text, bytes);
    for (size_t i = 0; i < sizeof band_names / sizeof *band_names; i++)
        if (text_equals(text, text_of(band_names[i])))
            return true;
    if (!read_hz(text, &hz))
        return text.length > 0 && read_channel(text, plan, callsign, out);
    out->khz = (hz + 500) / 1000;
    return hz >= fields[FIELD_FREQUENCY].minimum * 1000 &&
           hz <= fields[FIELD_FREQUENCY].maximum * 1000;
}

/* Finds the channel of a frequency such as 446.09375. */
static int64_t find_pmr_channel(int64_t hz)
{
    for (int64_t channel = 1; channel <= fields[FIELD_CHANNEL].maximum; channel++) {
        const int64_t centre = channels_centre_hz(channel);
        if (hz >= centre - NEAR_HZ && hz <= centre + NEAR_HZ)
            return channel;
    }
    return 0;
}

static struct text skip_tone_words(struct text text)
{
    size_t skipped;
    do {
        skipped = count_of(text, "-/:. ");
        if (skipped == 0)
            skipped = find_word(text, TONE_WORDS);
        text = text_skip(text, skipped);
    } while (skipped > 0);
    return text;
}

bool tuning_read_pmr(struct text text, int64_t *channel, struct tone_read *tone)
{
    char bytes[TEXT_BYTES_MAX];
    int64_t hz;
    *tone = (struct tone_read){0};
    text = make_plain(text, bytes);
    if (text_begins_ignoring_case(text, "446.") && read_hz(text, &hz)) {
        *channel = find_pmr_channel(hz);
        return *channel != 0;
    }
    text = skip_channel_word(text);
    const size_t digits = text_count_leading(text, isdigit);
    const struct text rest = text_skip(text, digits);
    if (digits < 1 || digits > 2 || (rest.length > 0 && count_of(rest, "-/:. ") == 0))
        return false;
    return text_parse_integer((struct text){text.bytes, digits}, fields[FIELD_CHANNEL].minimum,
                              fields[FIELD_CHANNEL].maximum, channel) &&
           tones_read(skip_tone_words(rest), tone);
}

bool tuning_read_tone(struct text text, struct tone_read *tone)
{
    char bytes[TEXT_BYTES_MAX];
    return tones_read(make_plain(text, bytes), tone);
}
