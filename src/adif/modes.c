/* Maps ADIF's names of modes, by schema/adif_modes.tsv and schema/mode_words.tsv, and keeps values
 * without a field in the notes. Maps FREQ and BAND of a record to our band, channel and kHz; the
 * frequency is compared before it is rounded. from_fields.c and to_fields.c decide which modes are
 * ours; mapping.c omits records on other bands. */
#include "adif/modes.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "adif/record.h"
#include "qso/fields.h"
#include "qso/qso.h"

static const struct {
    const char *name, *mode;
} names[] =
    {
#include "schema/mode_rows.inc"
},
  words[] = {
#define ROW(word, mode) {word, mode},
#include "schema/mode_words.inc"
#undef ROW
};

#define NAME_BYTES_MAX 20

bool modes_find(struct text name, struct mode_name *out)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (name.bytes && text_equals_ignoring_case(name, names[i].name)) {
            *out = (struct mode_name){text_of(names[i].name), text_of(names[i].mode)};
            return true;
        }
    return false;
}

static int is_in_name(int byte)
{
    return isalnum(byte) || (byte && strchr(" /+-._", byte));
}

static int is_no_letter(int byte)
{
    return !isalpha(byte);
}

/* Whether it may be the name of a mode: letters, digits, and between them some signs. */
static bool is_name(struct text text)
{
    return text.length >= 2 && text.length <= NAME_BYTES_MAX &&
           text_count_leading(text, is_in_name) == text.length &&
           isalnum((unsigned char)text.bytes[0]) &&
           text_count_leading(text, is_no_letter) < text.length;
}

/* Whether the word is one of our modes or a word for modes, so not the name of a digital mode. */
static bool is_word(struct text text)
{
    const char *const *modes = fields[FIELD_MODE].choices;
    bool found = false;
    for (size_t i = 0; modes[i]; i++)
        found = found || text_equals_ignoring_case(text, modes[i]);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        found = found || text_equals_ignoring_case(text, words[i].name);
    return found;
}

bool modes_find_digital(struct text name, struct arena *arena, struct mode_name *out)
{
    if (modes_find(name, out))
        return true;
    if (!is_name(name) || is_word(name))
        return false;
    char *upper = arena_allocate(arena, name.length);
    text_to_upper(name, upper);
    out->name = out->mode = (struct text){upper, name.length};
    return true;
}

const char *modes_find_other_word(struct text word)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (text_equals_ignoring_case(word, words[i].name))
            return words[i].mode;
    return NULL;
}

/* Puts values for which a QSO has no field into its notes, and finds them there again. The lines
 * are found only at the beginning, in their order and each once: then joining the parts gives back
 * every text that was split. Which fields these are is decided in mapping.c. */

static const char *const labels[NOTES_BODY] = {
    [NOTES_NAME] = "Name: ", [NOTES_QTH] = "QTH: ", [NOTES_MODE] = "Mode: "};

/* Takes a line with the label from the text. Its content has no space at either end; otherwise it
 * would be written back differently. */
static bool take_line(struct text *text, const char *label, struct text *content)
{
    struct text rest = *text, line = text_split_next(&rest, '\n');
    bool ends_with_break = rest.bytes && rest.length == 0;
    if (!text_extends(line, label) || ends_with_break)
        return false;
    struct text found = text_skip(line, strlen(label));
    if (text_trim(found).length != found.length)
        return false;
    *content = found;
    *text = rest;
    return true;
}

struct notes notes_split(struct text text, bool with_mode)
{
    struct notes notes = {0};
    for (int part = NOTES_NAME; part < NOTES_BODY && text.length > 0; part++)
        if (part != NOTES_MODE || with_mode)
            take_line(&text, labels[part], &notes.parts[part]);
    if (text.length > 0)
        notes.parts[NOTES_BODY] = text;
    return notes;
}

bool notes_may_name_mode(const struct qso *qso)
{
    return qso_integer_or(qso, FIELD_MODE, MODE_COUNT) == MODE_DIGITAL;
}

struct notes notes_of_qso(const struct qso *qso)
{
    return notes_split(qso_text(qso, FIELD_NOTES), notes_may_name_mode(qso));
}

struct text notes_join(const struct notes *notes, struct arena *arena)
{
    struct buffer out = {0};
    for (int part = 0; part < NOTES_PART_COUNT; part++) {
        if (!notes->parts[part].bytes)
            continue;
        buffer_append_string(&out, out.length > 0 ? "\n" : "");
        buffer_append_string(&out, part < NOTES_BODY ? labels[part] : "");
        buffer_append(&out, notes->parts[part].bytes, notes->parts[part].length);
    }
    return encoding_take(&out, arena);
}

/* -- Frequencies and bands --------------------------------------------------------------------- */

/* Reads, rounds and writes decimal numbers of ADIF. Numbers are read digit by digit and kept as
 * integers. The band of a frequency is decided before rounding, and binary fractions would put some
 * frequencies on the wrong side of a limit. The rows of mapping.c decide the range of a field. */

#define PLACES 9
#define INTEGER_DIGITS_MAX 9

static int64_t power_of_ten(int exponent)
{
    int64_t power = 1;
    while (exponent-- > 0)
        power *= 10;
    return power;
}

bool decimal_parse(struct text text, struct decimal *out)
{
    if (text.length == 0)
        return false;
    const bool is_negative = text.bytes[0] == '-';
    struct text rest = text_skip(text, is_negative);
    const struct text whole = {rest.bytes, text_count_leading(rest, isdigit)};
    rest = text_skip(rest, whole.length);
    rest = text_skip(rest, rest.length > 0 && (*rest.bytes == '.' || *rest.bytes == ','));
    const size_t places = text_count_leading(rest, isdigit);
    if (places < rest.length || whole.length > INTEGER_DIGITS_MAX || whole.length + places == 0)
        return false;
    *out = (struct decimal){.places = (int)places};
    text_parse_integer(whole, 0, INT64_MAX, &out->value);
    for (size_t i = 0; i < places || i < PLACES; i++) {
        const int digit = i < places ? rest.bytes[i] - '0' : 0;
        if (i < PLACES)
            out->value = out->value * 10 + digit;
        else
            out->more |= digit > 0;
    }
    out->value *= is_negative ? -1 : 1;
    return true;
}

int64_t decimal_round(struct decimal decimal, int places, bool *exact)
{
    int64_t unit = power_of_ten(PLACES - places);
    int64_t whole = decimal.value / unit, rest = decimal.value % unit;
    *exact = rest == 0 && !decimal.more;
    if (rest < 0) {
        rest += unit;
        whole--;
    }
    return 2 * rest >= unit ? whole + 1 : whole;
}

void decimal_format(int64_t value, int places, struct buffer *buffer)
{
    int64_t unit = power_of_ten(places);
    if (value < 0)
        buffer_append_string(buffer, "-");
    value = value < 0 ? -value : value;
    buffer_append_integer(buffer, value / unit);
    if (places > 0)
        buffer_print(buffer, ".%0*lld", places, (long long)(value % unit));
}

#define ONE_KHZ (DECIMAL_ONE / 1000)
#define ONE_HZ (ONE_KHZ / 1000)

struct band_range {
    const char *name;
    int64_t low, high; /* in 10^-9 MHz */
};

static const struct band_range eleven_meters = {.name = "11m"}; /* its range is in fields.json */
static const struct band_range other_bands[] = {
#define ROW(name, low, high) {name, low * ONE_HZ, high * ONE_HZ},
#include "schema/adif_bands.inc"
#undef ROW
};

int64_t band_match_channel_centre(int64_t channel)
{
    return channels_centre_hz(channel) * ONE_HZ;
}

bool band_match_is_on_band(enum band band, int64_t frequency)
{
    if (band == BAND_PMR446)
        return frequency >= CHANNELS_LOW_HZ * ONE_HZ && frequency <= CHANNELS_HIGH_HZ * ONE_HZ;
    return frequency >= fields[FIELD_FREQUENCY].minimum * ONE_KHZ &&
           frequency <= fields[FIELD_FREQUENCY].maximum * ONE_KHZ;
}

/* The channel within 1 kHz; 0: none. The 12.5 kHz channels of the amateur 70 cm band never come so
 * near. */
static int64_t find_channel(int64_t frequency)
{
    for (int64_t channel = 1; channel <= fields[FIELD_CHANNEL].maximum; channel++)
        if (llabs(frequency - band_match_channel_centre(channel)) <= ONE_KHZ)
            return channel;
    return 0;
}

/* Is this the channel's frequency, cut or rounded by another program to the decimals that the field
 * has? */
static bool may_be_channel(const struct decimal *frequency, int64_t channel)
{
    const int64_t unit = power_of_ten(PLACES - frequency->places);
    return channel && frequency->places >= 2 &&
           llabs(frequency->value - band_match_channel_centre(channel)) < unit;
}

/* NULL: no band has this name. */
static const struct band_range *find_band(struct text name)
{
    if (text_equals_ignoring_case(name, eleven_meters.name))
        return &eleven_meters;
    for (size_t i = 0; i < sizeof other_bands / sizeof *other_bands; i++)
        if (text_equals_ignoring_case(name, other_bands[i].name))
            return &other_bands[i];
    return NULL;
}

static bool is_in(const struct band_range *band, int64_t frequency)
{
    return band == &eleven_meters ? band_match_is_on_band(BAND_ELEVEN_METERS, frequency)
                                  : frequency >= band->low && frequency <= band->high;
}

static bool is_ours(int64_t frequency)
{
    return band_match_is_on_band(BAND_ELEVEN_METERS, frequency) || find_channel(frequency) > 0;
}

/* A number that was written in another unit, in MHz. */
static struct decimal to_megahertz(struct decimal said, enum frequency_unit unit)
{
    const int decimals = 3 * (int)unit;
    const int64_t divisor = power_of_ten(decimals);
    return (struct decimal){.value = said.value / divisor,
                            .more = said.more || said.value % divisor != 0,
                            .places = said.places + decimals};
}

/* The unit is the one in which the frequency is on the band that the record says, or else one of
 * ours. */
static struct decimal read_frequency(struct decimal said, const struct band_range *band,
                                     enum frequency_unit *unit)
{
    for (int pass = band ? 0 : 1; pass < 2; pass++)
        for (*unit = UNIT_MEGAHERTZ; *unit < UNIT_COUNT; ++*unit) {
            const struct decimal frequency = to_megahertz(said, *unit);
            if (pass == 0 ? is_in(band, frequency.value) : is_ours(frequency.value))
                return frequency;
        }
    *unit = UNIT_MEGAHERTZ;
    return said;
}

struct decimal band_match_read_frequency(struct decimal said, enum band band,
                                         enum frequency_unit *unit)
{
    for (*unit = UNIT_MEGAHERTZ; *unit < UNIT_COUNT; ++*unit) {
        const struct decimal frequency = to_megahertz(said, *unit);
        if (band_match_is_on_band(band, frequency.value))
            return frequency;
    }
    *unit = UNIT_MEGAHERTZ;
    return said;
}

static struct band_match unknown(const char *reason)
{
    return (struct band_match){.kind = BAND_MATCH_UNKNOWN, .reason = reason};
}

/* The channel of a record's frequency or of our extra fields; 0: none. */
static int64_t channel_of(const struct band_match_fields *said, const struct decimal *frequency)
{
    const int64_t channel = find_channel(frequency->value);
    const bool may_be_extra =
        said->extra_band == VALUE_PRESENT && said->extra_band_value == BAND_PMR446;
    return !channel && may_be_extra && may_be_channel(frequency, said->extra_channel)
               ? said->extra_channel
               : channel;
}

/* Other programs call 27 MHz 10 m, where 28 MHz is the edge; PMR446 is inside 70 cm. */
static struct band_match find_by_frequency(const struct band_match_fields *said)
{
    const struct band_range *band = find_band(said->band);
    struct band_match band_match = {.kind = BAND_MATCH_OURS, .band = BAND_ELEVEN_METERS};
    band_match.frequency = read_frequency(said->frequency, band, &band_match.unit);
    band_match.channel = channel_of(said, &band_match.frequency);
    const bool is_ten = band && strcmp(band->name, "10m") == 0;
    const bool is_edge = band_match.frequency.value == fields[FIELD_FREQUENCY].maximum * ONE_KHZ &&
                         (is_ten || band_match.frequency.more);
    const bool is_eleven =
        !is_edge && band_match_is_on_band(BAND_ELEVEN_METERS, band_match.frequency.value);
    bool exact, agrees = !band;
    if (band_match.channel) {
        band_match.band = BAND_PMR446;
        agrees = agrees || strcmp(band->name, "70cm") == 0;
    } else if (is_eleven) {
        band_match.khz = decimal_round(band_match.frequency, 3, &exact);
        band_match.rounded = !exact;
        agrees = agrees || is_ten || band == &eleven_meters;
    } else if (band != &eleven_meters) {
        return (struct band_match){.kind = BAND_MATCH_ELSEWHERE};
    }
    return agrees ? band_match : unknown("and FREQ do not agree");
}

static struct band_match find_by_extra(const struct band_match_fields *said)
{
    if (said->extra_band == VALUE_PRESENT && said->extra_band_value == BAND_ELEVEN_METERS)
        return (struct band_match){.kind = BAND_MATCH_OURS, .band = BAND_ELEVEN_METERS};
    if (said->extra_band == VALUE_PRESENT && said->extra_channel)
        return (struct band_match){
            .kind = BAND_MATCH_OURS, .band = BAND_PMR446, .channel = said->extra_channel};
    return unknown("is missing, and so is FREQ");
}

struct band_match band_match_find(const struct band_match_fields *said)
{
    const struct band_range *band = find_band(said->band);
    if (said->has_frequency)
        return find_by_frequency(said);
    if (said->band.length == 0)
        return find_by_extra(said);
    if (band == &eleven_meters)
        return (struct band_match){.kind = BAND_MATCH_OURS, .band = BAND_ELEVEN_METERS};
    if (band)
        return (struct band_match){.kind = BAND_MATCH_ELSEWHERE};
    return unknown("is not a band, and FREQ is missing");
}
