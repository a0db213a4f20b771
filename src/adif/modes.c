/* Names of ADIF that become ours: which mode of ADIF a name stands for, by the lines of
 * schema/adif_modes.tsv, and what a QSO has no field for, in its notes; and how FREQ and BAND of a
 * record become a band of ours, its channel and its kHz. The frequency is compared before it is
 * rounded. Which modes are ours is left to from_fields.c and to_fields.c; records on other bands
 * are left out by mapping.c. */
#include "adif/modes.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "adif/record.h"
#include "qso/fields.h"
#include "qso/qso.h"

static const struct mode_name names[] = {
#include "schema/mode_rows.inc"
};

const struct mode_name *modes_find(struct text name)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (name.bytes && text_equals_ignoring_case(name, names[i].name))
            return &names[i];
    return NULL;
}

/* Puts values for which a QSO has no field into its notes, and finds them there again. The lines
 * are found only at the beginning, in their order and each once: then joining the parts gives back
 * every text that was split. Which fields these are is decided in mapping.c. */

static const char *const labels[NOTES_BODY] = {
    [NOTES_NAME] = "Name: ", [NOTES_QTH] = "QTH: ", [NOTES_MODE] = "Mode: "};

/* Takes a line with the label from the text; its content has no space at either end, or it would be
 * written back as another text. */
static bool take_line(struct text *text, const char *label, struct text *content)
{
    struct text rest = *text, line = text_take_part(&rest, '\n');
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

/* Decimal numbers of ADIF: read, rounded and written. A number is read digit by digit and kept as
 * an integer: the band of a frequency is decided before it is rounded, and binary fractions would
 * put some frequencies on the wrong side of a limit. Which number a field may hold is decided by
 * the rows of mapping.c. */

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

/* The bands of ADIF (version 3.1.6); none of them is ours. */
static const char *const other_bands[] = {
#define ROW(name) name,
#include "schema/adif_bands.inc"
};

int64_t tuning_channel_centre(int64_t channel)
{
    return channels_centre_hz(channel) * ONE_HZ;
}

bool tuning_is_on_band(enum band band, int64_t frequency)
{
    if (band == BAND_PMR446)
        return frequency >= CHANNELS_LOW_HZ * ONE_HZ && frequency <= CHANNELS_HIGH_HZ * ONE_HZ;
    return frequency >= fields[FIELD_FREQUENCY].minimum * ONE_KHZ &&
           frequency <= fields[FIELD_FREQUENCY].maximum * ONE_KHZ;
}

static struct tuning on_channel(int64_t channel)
{
    return (struct tuning){.kind = TUNING_OURS, .band = BAND_PMR446, .channel = channel};
}

/* The channel within 1 kHz; 0: none. The 12.5 kHz channels of the amateur 70 cm band never come so
 * near. */
static int64_t find_channel(int64_t frequency)
{
    for (int64_t channel = 1; channel <= fields[FIELD_CHANNEL].maximum; channel++)
        if (llabs(frequency - tuning_channel_centre(channel)) <= ONE_KHZ)
            return channel;
    return 0;
}

/* Is this the channel's frequency, cut or rounded by another program to the decimals that the field
 * has? */
static bool may_be_channel(const struct decimal *frequency, int64_t channel)
{
    const int64_t unit = power_of_ten(PLACES - frequency->places);
    return channel && frequency->places >= 2 &&
           llabs(frequency->value - tuning_channel_centre(channel)) < unit;
}

static struct tuning find_by_frequency(const struct tuning_fields *said)
{
    int64_t value = said->frequency.value;
    int64_t channel = find_channel(value);
    if (channel)
        return on_channel(channel);
    if (said->extra_band == VALUE_PRESENT && said->extra_band_value == BAND_PMR446 &&
        may_be_channel(&said->frequency, said->extra_channel))
        return on_channel(said->extra_channel);
    const int64_t highest = fields[FIELD_FREQUENCY].maximum * ONE_KHZ;
    bool beyond = value == highest && said->frequency.more;
    bool at_edge = value == highest && text_equals_ignoring_case(said->band, "10m");
    if (!tuning_is_on_band(BAND_ELEVEN_METERS, value) || beyond || at_edge)
        return (struct tuning){.kind = TUNING_ELSEWHERE};
    struct tuning tuning = {.kind = TUNING_OURS, .band = BAND_ELEVEN_METERS};
    bool exact;
    tuning.khz = decimal_round(said->frequency, 3, &exact);
    tuning.rounded = !exact;
    return tuning;
}

static struct tuning find_by_extra(const struct tuning_fields *said)
{
    if (said->extra_band == VALUE_PRESENT && said->extra_band_value == BAND_ELEVEN_METERS)
        return (struct tuning){.kind = TUNING_OURS, .band = BAND_ELEVEN_METERS};
    if (said->extra_band == VALUE_PRESENT && said->extra_channel)
        return on_channel(said->extra_channel);
    return (struct tuning){.kind = TUNING_UNKNOWN, .reason = "is missing, and so is FREQ"};
}

struct tuning tuning_find(const struct tuning_fields *said)
{
    if (said->has_frequency)
        return find_by_frequency(said);
    if (said->band.length == 0)
        return find_by_extra(said);
    if (text_equals_ignoring_case(said->band, "11m"))
        return (struct tuning){.kind = TUNING_OURS, .band = BAND_ELEVEN_METERS};
    for (size_t i = 0; i < sizeof other_bands / sizeof *other_bands; i++)
        if (text_equals_ignoring_case(said->band, other_bands[i]))
            return (struct tuning){.kind = TUNING_ELSEWHERE};
    return (struct tuning){.kind = TUNING_UNKNOWN, .reason = "is not a band, and FREQ is missing"};
}
