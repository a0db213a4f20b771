/* Matches frequencies with bands before the frequencies are rounded. Imports skip records on bands
 * other than 11 m and PMR446. */
#include "adif/band_match.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "adif/decimal.h"
#include "qso/fields.h"
#include "qso/qso.h"

#define ONE_KHZ (DECIMAL_ONE / 1000)
#define ONE_HZ (ONE_KHZ / 1000)

struct band_range {
    const char *name;
    int64_t low, high; /* in 10^-9 MHz */
};

/* The range of 11 m is in fields.json. */
static const struct band_range eleven_meters = {.name = "11m"};
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

/* Returns the channel whose centre is within 1 kHz of the frequency, or 0 if there is no such
 * channel. The 12.5 kHz channels of the amateur 70 cm band are never that near. */
static int64_t find_channel(int64_t frequency)
{
    for (int64_t channel = 1; channel <= fields[FIELD_CHANNEL].maximum; channel++)
        if (llabs(frequency - band_match_channel_centre(channel)) <= ONE_KHZ)
            return channel;
    return 0;
}

/* Returns whether another program may have written the channel's centre as this frequency, cut or
 * rounded to the frequency's number of decimals. At least two decimals are required. */
static bool may_be_channel(const struct decimal *frequency, int64_t channel)
{
    const int64_t unit = decimal_power_of_ten(DECIMAL_PLACES - frequency->places);
    return channel && frequency->places >= 2 &&
           llabs(frequency->value - band_match_channel_centre(channel)) < unit;
}

/* Returns the band with this name, or NULL if no band has this name. */
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

/* Converts a number in this unit to MHz. */
static struct decimal to_megahertz(struct decimal said, enum frequency_unit unit)
{
    const int decimals = 3 * (int)unit;
    const int64_t divisor = decimal_power_of_ten(decimals);
    return (struct decimal){.value = said.value / divisor,
                            .more = said.more || said.value % divisor != 0,
                            .places = said.places + decimals};
}

/* Converts the frequency to MHz from the first unit in which it is on the record's band, or else on
 * one of our bands. *unit receives this unit, or UNIT_MEGAHERTZ if no unit fits. */
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

/* Returns the channel of a record's frequency, or else the channel in our extra fields if that
 * channel agrees with the frequency. Returns 0 if the record has no such channel. */
static int64_t channel_of(const struct band_match_fields *said, const struct decimal *frequency)
{
    const int64_t channel = find_channel(frequency->value);
    const bool may_be_extra =
        said->extra_band == VALUE_PRESENT && said->extra_band_value == BAND_PMR446;
    return !channel && may_be_extra && may_be_channel(frequency, said->extra_channel)
               ? said->extra_channel
               : channel;
}

/* Finds the band by the frequency. Other programs use the name 10 m for 27 MHz, although that band
 * begins at 28 MHz, and the name 70 cm for PMR446. */
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
