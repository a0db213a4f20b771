/* Finds our band, channel and kHz for the tuning of an ADIF record. Reports records on other bands
 * and on unknown ones. */
#ifndef QSOSYNC_ADIF_BAND_MATCH_H
#define QSOSYNC_ADIF_BAND_MATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "adif/decimal.h"
#include "base/text.h"
#include "qso/qso.h"

enum band_match_kind { BAND_MATCH_OURS, BAND_MATCH_ELSEWHERE, BAND_MATCH_UNKNOWN };

/* The tuning in a record's fields. */
struct band_match_fields {
    struct text band;            /* BAND; no text: none */
    bool has_frequency;          /* FREQ is there, and a number above 0 */
    struct decimal frequency;    /* MHz */
    enum value_state extra_band; /* our extra fields, which count if BAND and FREQ do not decide */
    int64_t extra_band_value;    /* an enum band */
    int64_t extra_channel;       /* 0: none */
};

/* Programs also write frequencies in kHz and Hz. */
enum frequency_unit { UNIT_MEGAHERTZ, UNIT_KILOHERTZ, UNIT_HERTZ, UNIT_COUNT };

struct band_match {
    enum band_match_kind kind;
    enum frequency_unit unit; /* unit of FREQ */
    struct decimal frequency; /* FREQ in MHz; 0: unknown */
    enum band band;           /* for BAND_MATCH_OURS */
    int64_t khz;              /* 11 m: rounded; 0: unknown */
    bool rounded;             /* FREQ was rounded to khz */
    int64_t channel;          /* PMR446 */
    const char *reason;       /* for BAND_MATCH_UNKNOWN: a constant text that follows "BAND" */
};

/* Finds the band. A frequency decides, because other programs call 27 MHz "10m", or omit BAND. If
 * BAND contradicts it, the band is unknown. */
struct band_match band_match_find(const struct band_match_fields *said);

/* Returns a second frequency of a QSO on the band, in MHz. *unit is the first unit in which the
 * frequency is on the band, or MHz if no unit fits. */
struct decimal band_match_read_frequency(struct decimal said, enum band band,
                                         enum frequency_unit *unit);

/* Returns whether the frequency, in 10^-9 MHz, is on the band (11 m: 26 to 28 MHz, PMR446: 446 to
 * 446.2 MHz). */
bool band_match_is_on_band(enum band band, int64_t frequency);

/* Returns the centre of a PMR446 channel in 10^-9 MHz. */
int64_t band_match_channel_centre(int64_t channel);

#endif
