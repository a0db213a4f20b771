/* The band, the frequency, the channel and the tone of a row. */
#include "transfer/sheet_row.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/format.h"
#include "qso/qso.h"
#include "qso/tuning.h"
#include "transfer/sheet_values.h"
#include "transfer/sheet_words.h"

#define PMR_CHANNELS 16
#define BAND_METRES_MAX 160
#define BAND_SIZE 32
#define ELEVEN_METRES "11m"
#define PMR "pmr"

/* Writes the name of a band in ADIF, "pmr" for PMR446, or an empty text. */
static void name_band(struct text cell, char out[BAND_SIZE])
{
    char folded[SHEET_FOLDED_SIZE];
    size_t length = 0;
    sheet_fold(cell, folded);
    const struct text text = text_of(folded);
    out[0] = '\0';
    if (text.length == 0)
        return;
    if (sheet_is_pmr(cell)) {
        format_cut(out, BAND_SIZE, PMR);
    } else if (text_is_one_of(text, "11 11m 11meter 11meters 11metre 11metres 11mt 11mtr cb 27 "
                                    "27mhz elevenmeters")) {
        format_cut(out, BAND_SIZE, ELEVEN_METRES);
    } else if (text_count_leading(text, isdigit) == text.length &&
               sheet_number_of(text) <= BAND_METRES_MAX) {
        format_cut(out, BAND_SIZE, "%sm", folded);
    } else {
        for (size_t i = 0; i < cell.length && length < BAND_SIZE - 1; i++)
            if (!isspace((unsigned char)cell.bytes[i]))
                out[length++] = (char)tolower((unsigned char)cell.bytes[i]);
        out[length] = '\0';
    }
}

static bool answers(const struct sheet_reader *reader, const char *id, const char *value)
{
    const char *given = sheet_answer(reader->answers, id);
    return given && strcmp(given, value) == 0;
}

static void put_frequency(struct sheet_reader *reader, const char *mhz)
{
    sheet_row_put(reader, "FREQ", text_of(mhz));
}

/* Appends the tone of a QSO on PMR446. A tone that has several meanings is kept as it is. */
static void put_tone(struct sheet_reader *reader, struct text cell)
{
    struct tone_read read;
    if (cell.length == 0)
        return;
    if (!tuning_read_tone(cell, &read) || read.is_unclear || read.count > 1) {
        sheet_row_put(reader, "APP_SHEET_TONE", cell);
    } else if (read.count == 1) {
        sheet_row_put(reader, "APP_QSOSYNC_CTCSS_TONE", text_of(read.tones[0].ctcss));
        sheet_row_put(reader, "APP_QSOSYNC_DCS_CODE", text_of(read.tones[0].dcs));
    }
}

static void put_pmr(struct sheet_reader *reader, const struct sheet_channel *channel, bool has_mhz)
{
    char text[16];
    const struct text tone = sheet_row_cell(reader, SHEET_TONE);
    if (!has_mhz && channel) {
        const double mhz = 446.00625 + (channel->number - 1) * 0.0125;
        format_cut(text, sizeof text, "%.5f", mhz);
        put_frequency(reader, text);
        sheet_row_put(reader, "APP_QSOSYNC_BAND", text_of("PMR446"));
        format_cut(text, sizeof text, "%d", channel->number);
        sheet_row_put(reader, "APP_QSOSYNC_CHANNEL", text_of(text));
    }
    put_tone(reader, tone.length > 0 ? tone : text_of(channel ? channel->tone : ""));
    put_tone(reader, sheet_row_cell(reader, SHEET_DCS));
}

/* Appends all tones as they are, because the row is not on PMR446. */
static void put_other_tones(struct sheet_reader *reader, const char *tone)
{
    struct buffer tones = {0};
    const struct text parts[] = {text_of(tone), sheet_row_cell(reader, SHEET_TONE),
                                 sheet_row_cell(reader, SHEET_DCS)};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].length > 0 && tones.length > 0)
            buffer_append_string(&tones, " ");
        buffer_append(&tones, parts[i].bytes, parts[i].length);
    }
    sheet_row_put(reader, "APP_SHEET_TONE", (struct text){tones.bytes, tones.length});
    buffer_free(&tones);
}

static bool has_letter_or_digit(struct text text)
{
    for (size_t i = 0; i < text.length; i++)
        if (isalnum((unsigned char)text.bytes[i]) || (unsigned char)text.bytes[i] >= 0x80)
            return true;
    return false;
}

static bool has_digit_above_0(struct text text)
{
    for (size_t i = 0; i < text.length; i++)
        if (text.bytes[i] >= '1' && text.bytes[i] <= '9')
            return true;
    return false;
}

/* The frequency and the channel of a row. */
struct tuned {
    struct text cell; /* the frequency as it is */
    struct sheet_tuning tuning;
    bool is_read, has_mhz, is_whole_band;
    struct sheet_channel channel;
    bool has_channel;
};

static void read_tuned(struct sheet_reader *reader, struct tuned *tuned)
{
    const struct text named = sheet_row_cell(reader, SHEET_CHANNEL);
    struct sheet_tuning *tuning = &tuned->tuning;
    char digits[12];
    /* A column of channels can have a frequency, or a text that the service refuses by name. */
    struct text other = {"", 0};
    tuned->cell = sheet_row_cell(reader, SHEET_FREQUENCY);
    if (!sheet_read_channel(named, &tuned->channel) && has_letter_or_digit(named))
        other = named;
    if (tuned->cell.length == 0 && has_digit_above_0(other))
        tuned->cell = other;
    if (!text_equals(other, tuned->cell))
        sheet_row_put(reader, "APP_SHEET_CHANNEL", other);
    tuned->is_read = sheet_read_tuning(tuned->cell, tuning);
    const bool is_channel =
        tuned->is_read &&
        (tuning->has_channel || (tuning->is_bare && answers(reader, "bare", "channel")));
    /* A bare number is at most 80. */
    format_cut(digits, sizeof digits, "%d",
               tuning->has_channel ? tuning->channel
               : is_channel        ? (int)tuning->mhz
                                   : 0);
    tuned->has_channel = sheet_read_channel(is_channel ? text_of(digits) : named, &tuned->channel);
    tuned->is_whole_band = tuned->is_read && (tuning->is_band || tuning->is_bare) &&
                           tuning->mhz >= 27 && tuning->mhz < 28;
    tuned->has_mhz = tuned->is_read && tuning->mhz > 0 && !is_channel && !tuned->is_whole_band;
}

static void put_tuned(struct sheet_reader *reader, const struct tuned *tuned)
{
    char mhz[40];
    const char *mode = tuned->tuning.mode[0] ? tuned->tuning.mode : tuned->channel.mode;
    if (sheet_row_cell(reader, SHEET_MODE).length == 0)
        sheet_row_put(reader, "MODE", text_of(mode));
    if (tuned->has_mhz) {
        size_t length = format_cut(mhz, sizeof mhz, "%.6f", tuned->tuning.mhz);
        for (int i = 0; i < 3 && length > 0 && mhz[length - 1] == '0'; i++)
            mhz[--length] = '\0';
        put_frequency(reader, mhz);
    } else if (tuned->cell.length > 0 && !tuned->is_read) {
        sheet_row_put(reader, "FREQ", tuned->cell);
    }
}

/* Appends the frequency of a channel on CB and the band. */
static void put_cb(struct sheet_reader *reader, const struct tuned *tuned, const char *band)
{
    char mhz[SHEET_MHZ_SIZE];
    const char *plan = sheet_answer(reader->answers, "plan");
    const char *name = tuned->has_channel ? tuned->channel.name : "";
    put_other_tones(reader, tuned->channel.tone);
    const bool has_plan_mhz =
        !tuned->has_mhz && tuned->has_channel && plan && sheet_mhz_of(name, plan, mhz);
    if (has_plan_mhz)
        put_frequency(reader, mhz);
    else
        sheet_row_put(reader, "APP_SHEET_CHANNEL", text_of(name));
    const bool is_eleven = !tuned->has_mhz && (name[0] || tuned->is_whole_band);
    if (band[0])
        sheet_row_put(reader, "BAND", text_of(band));
    else if (is_eleven || (!tuned->has_mhz && answers(reader, "band", ELEVEN_METRES)))
        sheet_row_put(reader, "BAND", text_of(ELEVEN_METRES));
}

void sheet_row_read_tuning(struct sheet_reader *reader)
{
    struct tuned tuned = {0};
    char band[BAND_SIZE];
    name_band(sheet_row_cell(reader, SHEET_BAND), band);
    read_tuned(reader, &tuned);
    put_tuned(reader, &tuned);
    /* In a sheet with channels that only CB has, only a channel with a tone is on PMR446. */
    const bool has_tone = tuned.channel.tone[0] || sheet_row_cell(reader, SHEET_TONE).length > 0 ||
                          sheet_row_cell(reader, SHEET_DCS).length > 0;
    const bool can_be_pmr = !reader->facts->has_cb_channel ||
                            (has_tone && tuned.has_channel && tuned.channel.number <= PMR_CHANNELS);
    const bool is_pmr_mhz = tuned.tuning.mhz > 446 && tuned.tuning.mhz < 446.2;
    if (strcmp(band, PMR) == 0 ||
        (!band[0] && ((answers(reader, "channels", PMR) && can_be_pmr) || is_pmr_mhz)))
        put_pmr(reader, tuned.has_channel ? &tuned.channel : NULL, tuned.has_mhz);
    else
        put_cb(reader, &tuned, band);
}
