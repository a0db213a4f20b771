/* Modes and bands of ADIF. Except for the voice modes and CW, all modes are DIGITAL in a QSO, whose
 * notes keep the exact name. The frequency or band of a record puts it on one of our bands, on
 * another band, or on an unknown one. */
#ifndef QSOSYNC_ADIF_MODES_H
#define QSOSYNC_ADIF_MODES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/text.h"
#include "qso/qso.h"

struct mode_name {
    struct text name; /* name of a submode or a mode */
    struct text mode; /* the mode that it belongs to */
};

/* Finds the mode or submode with this name, in any case; false: ADIF has none. */
bool modes_find(struct text name, struct mode_name *out);

/* The same, but also accepts a name that ADIF does not have if a digital mode may have it. Such a
 * name belongs to no other mode and is in upper case, in the arena. */
bool modes_find_digital(struct text name, struct arena *arena, struct mode_name *out);

/* The mode of ours that programs also call so, in any case; NULL: none. */
const char *modes_find_other_word(struct text word);

/* Values of an ADIF record without a field in a QSO are kept in the first lines of its notes:
 * "Name: ", "QTH: " and, if the mode is DIGITAL, "Mode: ", in this order. */

enum notes_part { NOTES_NAME, NOTES_QTH, NOTES_MODE, NOTES_BODY, NOTES_PART_COUNT };

/* No text: the part is not there. */
struct notes {
    struct text parts[NOTES_PART_COUNT];
};

/* Takes notes apart; the parts point into the text. Without with_mode a "Mode: " line belongs to
 * the body. */
struct notes notes_split(struct text text, bool with_mode);

/* Is the QSO one whose notes may have a "Mode: " line: a digital one? */
bool notes_may_name_mode(const struct qso *qso);

/* The notes of a QSO in parts. */
struct notes notes_of_qso(const struct qso *qso);

/* Joins notes, in the arena; no text if all parts are empty. Joining the parts from notes_split
 * gives the same text again. */
struct text notes_join(const struct notes *notes, struct arena *arena);

/* -- Frequencies and bands --------------------------------------------------------------------- */

/* Decimal numbers as ADIF files hold them, exact to nine places; halves are rounded up. */

#define DECIMAL_ONE (INT64_C(1000) * 1000 * 1000)

struct decimal {
    int64_t value; /* in units of 10^-9; smaller digits are cut off */
    bool more;     /* digits beyond these were cut off */
    int places;    /* digits written after the point */
};

/* Reads 27.555, 27,555, 5, .5 or -5.; false for anything else, and from 10^9 on. */
bool decimal_parse(struct text text, struct decimal *out);

/* The nearest number with this number of places (0 to 9), in units of 10^-places. *exact: nothing
 * was rounded. */
int64_t decimal_round(struct decimal decimal, int places, bool *exact);

/* Appends a number of units of 10^-places, with all its places. */
void decimal_format(int64_t value, int places, struct buffer *buffer);

enum band_match_kind { BAND_MATCH_OURS, BAND_MATCH_ELSEWHERE, BAND_MATCH_UNKNOWN };

/* The tuning in a record's fields. */
struct band_match_fields {
    struct text band;            /* BAND; no text: none */
    bool has_frequency;          /* FREQ is there, and a number above 0 */
    struct decimal frequency;    /* MHz */
    enum value_state extra_band; /* our extra fields, which count if these two leave it open */
    int64_t extra_band_value;    /* an enum band */
    int64_t extra_channel;       /* 0: none */
};

/* Programs also write frequencies in kHz and Hz. */
enum frequency_unit { UNIT_MEGAHERTZ, UNIT_KILOHERTZ, UNIT_HERTZ, UNIT_COUNT };

struct band_match {
    enum band_match_kind kind;
    enum frequency_unit unit; /* frequency of FREQ */
    struct decimal frequency; /* FREQ in MHz; 0: not known */
    enum band band;           /* for BAND_MATCH_OURS */
    int64_t khz;              /* 11 m: rounded; 0: not known */
    bool rounded;             /* FREQ was rounded to khz */
    int64_t channel;          /* PMR446 */
    const char *reason;       /* for BAND_MATCH_UNKNOWN: constant; follows "BAND" */
};

/* A frequency tells the band: other programs call 27 MHz "10m", or leave BAND out. If BAND says
 * something else, the tuning is unknown. */
struct band_match band_match_find(const struct band_match_fields *said);

/* A second frequency of a QSO on the band, in MHz. *unit is the first unit in which the frequency
 * is on the band, or MHz if no unit fits. */
struct decimal band_match_read_frequency(struct decimal said, enum band band,
                                         enum frequency_unit *unit);

/* Does the frequency, in 10^-9 MHz, lie on the band (11 m: 26 to 28, PMR446: 446 to 446.2 MHz)? */
bool band_match_is_on_band(enum band band, int64_t frequency);

/* The centre of a channel of PMR446, as decimal_parse would give it. */
int64_t band_match_channel_centre(int64_t channel);

#endif
