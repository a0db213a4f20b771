/* The rules by which FREQ and BAND of a record become a band of ours, its channel and its kHz. The
 * frequency is compared before it is rounded. Records on other bands are left out by mapping.c,
 * which also decides what the fields of our own add. */
#include "adif/tuning.h"

#include <stdlib.h>

#include "qso/channels.h"
#include "qso/fields.h"

#define ONE_KHZ (DECIMAL_ONE / 1000)
#define ONE_HZ (ONE_KHZ / 1000)

/* The bands of ADIF (version 3.1.6); none of them is ours. */
static const char *const other_bands[] = {
    "2190m", "630m", "560m", "160m", "80m",    "60m", "40m", "30m",   "20m",  "17m",  "15m",
    "12m",   "10m",  "8m",   "6m",   "5m",     "4m",  "2m",  "1.25m", "70cm", "33cm", "23cm",
    "13cm",  "9cm",  "6cm",  "3cm",  "1.25cm", "6mm", "4mm", "2.5mm", "2mm",  "1mm",  "submm",
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
    int64_t unit = DECIMAL_ONE;
    for (int places = 0; places < frequency->places && unit > 1; places++)
        unit /= 10;
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
    return (struct tuning){.kind = TUNING_UNKNOWN, .reason = "is missing, and FREQ too"};
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
