/* What a spot tells, and how a cluster node would print it. */
#include "qso/spot.h"

#include <stdio.h>
#include <string.h>

#include "qso/fields.h"
#include "qso/match.h"

#define CHANNEL_1_HZ INT64_C(446006250)
#define CHANNEL_STEP_HZ INT64_C(12500)

static int64_t integer_or(const struct qso *qso, enum field_index field, int64_t otherwise)
{
    const struct value *value = &qso->values[field];
    return value->presence == VALUE_PRESENT ? value->integer : otherwise;
}

void spot_of_qso(const struct qso *qso, struct text member_callsign, int64_t spotted_at_ms,
                 struct spot *out)
{
    memset(out, 0, sizeof *out);
    out->qso_id = integer_or(qso, FIELD_ID, 0);
    out->spotted_at_ms = spotted_at_ms;
    out->spotter = match_station(qso, member_callsign);
    out->dx_callsign = qso_text(qso, FIELD_CALLSIGN_WORKED);
    out->band = (enum band)integer_or(qso, FIELD_BAND, BAND_ELEVEN_METERS);
    out->channel = integer_or(qso, FIELD_CHANNEL, 0);
    out->frequency_hz = out->channel ? CHANNEL_1_HZ + (out->channel - 1) * CHANNEL_STEP_HZ
                                     : integer_or(qso, FIELD_FREQUENCY, 0) * 1000;
    out->ctcss_tone = qso_text(qso, FIELD_CTCSS_TONE);
    out->dcs_code = qso_text(qso, FIELD_DCS_CODE);
    out->mode = (int)integer_or(qso, FIELD_MODE, -1);
    out->my_locator = qso_text(qso, FIELD_MY_LOCATOR);
    out->dx_locator = qso_text(qso, FIELD_DX_LOCATOR);
}

const char *spot_mode_name(const struct spot *spot)
{
    return spot->mode < 0 ? NULL : fields[FIELD_MODE].choices[spot->mode];
}

/* Cluster lines are ASCII: any other code point, and every control character, becomes one ?. */
static void make_printable(struct text text, char *out, size_t capacity)
{
    size_t length = 0;
    for (size_t i = 0; i < text.length && length + 1 < capacity; i++) {
        unsigned char byte = (unsigned char)text.bytes[i];
        bool continues = (byte & 0xC0) == 0x80;
        if (byte >= 0x20 && byte < 0x7F)
            out[length++] = (char)byte;
        else if (!continues)
            out[length++] = '?';
    }
    out[length] = '\0';
}

static void append_word(char *out, size_t capacity, const char *word)
{
    size_t length = strlen(out);
    if (*word)
        snprintf(out + length, capacity - length, "%s%s", length ? " " : "", word);
}

static void make_comment(const struct spot *spot, char *out, size_t capacity)
{
    char word[64];
    out[0] = '\0';
    if (spot_mode_name(spot))
        append_word(out, capacity, spot_mode_name(spot));
    if (spot->channel) {
        snprintf(word, sizeof word, "PMR ch %d", (int)spot->channel);
        append_word(out, capacity, word);
    }
    make_printable(spot->ctcss_tone.bytes ? spot->ctcss_tone : spot->dcs_code, word, sizeof word);
    append_word(out, capacity, word);
    make_printable(spot->dx_locator, word, sizeof word);
    append_word(out, capacity, word);
}

bool spot_format_line(const struct spot *spot, char out[SPOT_LINE_LENGTH + 1])
{
    if (!spot->dx_callsign.bytes || spot->frequency_hz == 0)
        return false;
    char spotter[9 + 1], dx_callsign[12 + 1], comment[128];
    make_printable(spot->spotter, spotter, sizeof spotter - 1);
    strcat(spotter, ":");
    make_printable(spot->dx_callsign, dx_callsign, sizeof dx_callsign);
    make_comment(spot, comment, sizeof comment);
    unsigned minute_of_day = (unsigned)(spot->spotted_at_ms / 60000 % 1440);
    snprintf(out, SPOT_LINE_LENGTH + 1, "DX de %-9s%9.1f  %-12s %-30.30s %02u%02uZ", spotter,
             (double)spot->frequency_hz / 1000.0, dx_callsign, comment, minute_of_day / 60 % 24,
             minute_of_day % 60);
    return true;
}
