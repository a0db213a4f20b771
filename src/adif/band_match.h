/* Finds our band, channel and kHz from the tuning fields in an ADIF record. Reports records on
 * other bands and on unknown bands. */
#ifndef QSOSYNC_ADIF_BAND_MATCH_H
#define QSOSYNC_ADIF_BAND_MATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "adif/decimal.h"
#include "base/text.h"
#include "qso/qso.h"

enum band_match_kind { BAND_MATCH_OURS, BAND_MATCH_ELSEWHERE, BAND_MATCH_UNKNOWN };

/* The fields in a record that describe the tuning. */
struct band_match_fields {
    struct text band;         /* BAND; no text: the record has no BAND */
    bool has_frequency;       /* whether FREQ is a number above 0 */
    struct decimal frequency; /* MHz */
    /* our extra fields, used if BAND and FREQ do not determine the band */
    enum value_state extra_band; /* state of the extra field for the band */
    int64_t extra_band_value;    /* a value of enum band */
    int64_t extra_channel;       /* 0: no channel */
};

/* The units in which programs write frequencies. */
enum frequency_unit { UNIT_MEGAHERTZ, UNIT_KILOHERTZ, UNIT_HERTZ, UNIT_COUNT };

struct band_match {
    enum band_match_kind kind;
    enum frequency_unit unit; /* the unit of FREQ */
    struct decimal frequency; /* FREQ in MHz; 0: unknown */
    enum band band;           /* the band, for BAND_MATCH_OURS */
    int64_t khz;              /* the rounded frequency on 11 m; otherwise, or if unknown, 0 */
    bool rounded;             /* whether FREQ was rounded to khz */
    int64_t channel;          /* the channel on PMR446; 0: no channel */
    const char *reason;       /* for BAND_MATCH_UNKNOWN: a constant text that follows "BAND" */
};

/* Finds the band. A known frequency determines the band, because other programs call 27 MHz "10m"
 * or omit BAND. If BAND and the frequency contradict each other, and either refers to one of our
 * bands, the band is unknown. */
struct band_match band_match_find(const struct band_match_fields *said);

/* Converts a further frequency of a QSO to MHz, from the first unit in which the frequency is on
 * the QSO's band. *unit receives this unit, or UNIT_MEGAHERTZ if no unit fits. */
struct decimal band_match_read_frequency(struct decimal said, enum band band,
                                         enum frequency_unit *unit);

/* Returns whether the frequency, in units of 10^-9 MHz, is on the band (11 m: 26 to 28 MHz, PMR446:
 * 446 to 446.2 MHz). */
bool band_match_is_on_band(enum band band, int64_t frequency);

/* Returns the centre of a PMR446 channel in units of 10^-9 MHz. */
int64_t band_match_channel_centre(int64_t channel);

#endif
