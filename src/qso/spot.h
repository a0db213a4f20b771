/* A spot as it is published on the DX cluster, and its line in the form that cluster nodes send.
 *
 * Holds what a spot may tell and nothing else: never the notes, never exact coordinates. */
#ifndef QSOSYNC_QSO_SPOT_H
#define QSOSYNC_QSO_SPOT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "qso/qso.h"

struct spot {
    int64_t qso_id;
    int64_t spotted_at_ms;
    struct text spotter;     /* the station callsign */
    struct text dx_callsign; /* no text: unknown */
    enum band band;
    int64_t frequency_hz; /* 0: unknown */
    int64_t channel;      /* 0: not PMR446 */
    struct text ctcss_tone;
    struct text dcs_code;
    int mode; /* enum mode; -1: unknown */
    struct text my_locator;
    struct text dx_locator;
};

/* The spot of a member's QSO. Texts point into the QSO. */
void spot_of_qso(const struct qso *qso, struct text member_callsign, int64_t spotted_at_ms,
                 struct spot *out);

#define SPOT_LINE_LENGTH 75

/* Writes SPOT_LINE_LENGTH printable characters and a NUL: "DX de ", the spotter and a colon in
 * columns 7 to 15, kHz with one decimal in 17 to 24, the DX callsign from 27, a comment from 40 to
 * 69 and hhmmZ in 71 to 75. Returns false when callsign worked or frequency is unknown: a cluster
 * line has no way to say so. */
bool spot_format_line(const struct spot *spot, char out[SPOT_LINE_LENGTH + 1]);

/* The mode's name, NULL when unknown. */
const char *spot_mode_name(const struct spot *spot);

#endif
