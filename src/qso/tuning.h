/* Reads the texts in which people write a frequency or a channel: "27,555", "41", "19A", "C15" on
 * 11 m, and "8-12" on PMR446. The app has the same rules (src/web/shared/words/tuning.js), and
 * t/data/tunings.tsv contains cases for both. */
#ifndef QSOSYNC_QSO_TUNING_H
#define QSOSYNC_QSO_TUNING_H

#include "qso/channels.h"
#include "qso/tones.h"

#define TUNING_CHANNELS_MAX 8

struct tuning {
    int64_t khz;  /* 0: the text names only the band, or is unclear */
    size_t count; /* number of channels; if several, the text can mean each of them */
    struct channel channels[TUNING_CHANNELS_MAX];
};

/* Reads a frequency or channel on 11 m. A number is a channel of `plan`, the plan that the writer
 * has set. If `plan` is NULL, tries the plans that are usual in the country of the callsign.
 * Returns false if the text has no meaning. */
bool tuning_read(struct text text, const struct channel_plan *plan, struct text callsign,
                 struct tuning *out);

/* Reads a channel of PMR446, with the tone that can follow. Returns false if the text has no
 * meaning. */
bool tuning_read_pmr(struct text text, int64_t *channel, struct tone_read *tone);

/* Reads a tone, in any case and with a comma or a point. */
bool tuning_read_tone(struct text text, struct tone_read *tone);

#endif
