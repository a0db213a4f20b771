/* Writes the time, the band, the frequency and the split. */
#include "adif/to_fields.h"

#include "adif/band_match.h"
#include "adif/decimal.h"
#include "adif/encoding.h"
#include "adif/rows.h"
#include "base/arena.h"
#include "base/datetime.h"
#include "base/text.h"

void to_fields_time(struct writing *writing, const struct row *row)
{
    char *iso = arena_allocate(writing->arena, DATETIME_TEXT_LENGTH);
    datetime_format(to_fields_value_of(writing, row)->integer, iso);
    to_fields_add(writing, SLOT_QSO_DATE,
                  text_of(arena_print(writing->arena, "%.4s%.2s%.2s", iso, iso + 5, iso + 8)));
    to_fields_add(
        writing, SLOT_TIME_ON,
        text_of(arena_print(writing->arena, "%.2s%.2s%.2s", iso + 11, iso + 14, iso + 17)));
}

void to_fields_band(struct writing *writing, const struct row *row)
{
    bool has_frequency = writing->qso->values[FIELD_FREQUENCY].state == VALUE_PRESENT;
    if (to_fields_value_of(writing, row)->integer == BAND_ELEVEN_METERS &&
        !(writing->strict && has_frequency))
        to_fields_add(writing, row->slot, text_of("11m"));
}

/* Returns the QSO's frequency in units of 10^-9 MHz, or 0 if the frequency is unknown. */
static int64_t frequency_of(const struct qso *qso)
{
    const struct value *khz = &qso->values[FIELD_FREQUENCY];
    const struct value *channel = &qso->values[FIELD_CHANNEL];
    if (khz->state == VALUE_PRESENT)
        return khz->integer * (DECIMAL_ONE / 1000);
    return channel->state == VALUE_PRESENT ? band_match_channel_centre(channel->integer) : 0;
}

static void add_frequency(struct writing *writing, enum slot slot, int64_t frequency)
{
    struct buffer text = {0};
    int64_t khz = DECIMAL_ONE / 1000;
    bool fine = frequency % khz != 0;
    decimal_format(frequency / (fine ? khz / 100 : khz), fine ? 5 : 3, &text);
    to_fields_add(writing, slot, encoding_take(&text, writing->arena));
}

void to_fields_frequency(struct writing *writing, const struct row *row)
{
    add_frequency(writing, row->slot, frequency_of(writing->qso));
}

/* Writes FREQ_RX only if the frequency is on the QSO's band. Other programs would interpret a
 * frequency on another band differently. */
void to_fields_split(struct writing *writing, const struct row *row)
{
    int64_t transmitting = frequency_of(writing->qso);
    int64_t receiving =
        transmitting - to_fields_value_of(writing, row)->integer * (DECIMAL_ONE / 1000);
    if (transmitting > 0 &&
        band_match_is_on_band((enum band)writing->qso->values[FIELD_BAND].integer, receiving))
        add_frequency(writing, row->slot, receiving);
}
