/* A spot on the DX cluster, and its line in the format of cluster nodes.
 *
 * A spot of a member's QSO never contains notes or exact coordinates. */
#ifndef QSOSYNC_QSO_SPOT_H
#define QSOSYNC_QSO_SPOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "qso/qso.h"

struct spot {
    int64_t id; /* the spot's number; each new spot has a greater number */
    int64_t qso_id;
    int64_t spotted_at_ms;
    struct text spotter;     /* callsign of the station that reports the spot */
    struct text dx_callsign; /* no text: unknown */
    enum band band;
    int64_t frequency_hz; /* 0: unknown */
    int64_t channel;      /* 0: the spot is not on PMR446 */
    struct text ctcss_tone;
    struct text dcs_code;
    int mode; /* enum mode; -1: unknown */
    struct text my_locator;
    struct text dx_locator;
    struct text source;  /* the cluster that sent the spot; no text: a member's spot */
    struct text comment; /* comment from that cluster, only if there is a source */
};

/* Fills *out from a member's QSO. The texts are views into the QSO. */
void spot_of_qso(const struct qso *qso, struct text member_callsign, int64_t spotted_at_ms,
                 struct spot *out);

#define SPOT_CALLSIGN_MAX 20

/* Writes a callsign as cluster programs expect: upper case, without spaces, hyphens and dots, with
 * a NUL. A callsign has 3 to 20 letters A to Z, digits and slashes, with at least one letter and
 * one digit. The callsign must not contain LOGIN or PASSWORD, for which cluster clients wait.
 * Returns false for any other text. */
bool spot_format_callsign(struct text text, char out[SPOT_CALLSIGN_MAX + 1]);

#define SPOT_LINE_LENGTH 75

/* Writes a line in DXSpider's format: SPOT_LINE_LENGTH printable characters and a NUL. The line
 * starts with "DX de ". Columns 7 to 15 contain the spotter and a colon, 17 to 24 kHz with one
 * decimal, and 27 to 39 the DX callsign. Columns 40 to 69 contain the comment, and 71 to 75 hhmmZ.
 * A long callsign is never cut: it uses the spaces after it, and then columns of the comment.
 * Returns false if the frequency is unknown, or if spot_format_callsign rejects a callsign. */
bool spot_format_line(const struct spot *spot, char out[SPOT_LINE_LENGTH + 1]);

/* Writes a line in the format of DXSpider's sh/dx: kHz, DX callsign, day, time, comment, and the
 * spotter in angle brackets, which end in column 80. Returns false in the same cases as
 * spot_format_line. */
#define SPOT_ROW_LENGTH 80
bool spot_format_row(const struct spot *spot, char out[SPOT_ROW_LENGTH + 1]);

/* Reads a frequency in kHz, with or without decimals, from 1 kHz to 1 GHz. Returns false for any
 * other text. */
bool spot_read_khz(struct text text, int64_t *hz);

/* Writes the comment for both kinds of lines: the mode, on PMR446 the channel and tone, and the DX
 * locator. The comment has at most capacity - 1 characters. */
#define SPOT_COMMENT_MAX 30
void spot_format_comment(const struct spot *spot, char *out, size_t capacity);

/* Returns the mode's name; NULL if the mode is unknown. */
const char *spot_mode_name(const struct spot *spot);

#endif
