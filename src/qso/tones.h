/* The tones of PMR446 (schema/tones.tsv), and the texts in which people write a tone. */
#ifndef QSOSYNC_QSO_TONES_H
#define QSOSYNC_QSO_TONES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

#define TONE_SIZE 6 /* bytes in 100.0 or D023N, with a NUL */

struct tone {
    char ctcss[TONE_SIZE], dcs[TONE_SIZE]; /* the values for a QSO; at least one of them is empty */
};

#define TONES_MEANT_MAX 8

struct tone_read {
    bool is_unclear; /* whether the text can mean each of `tones`, so that its writer must choose */
    size_t count;    /* number of tones; 0: the text states that there is no tone */
    struct tone tones[TONES_MEANT_MAX];
};

/* Reads a tone: the number of one of the 38 tones, Hz or a DCS code. The text has no upper-case
 * letters and no commas (tuning.c). Returns false if the text has no meaning. */
bool tones_read(struct text text, struct tone_read *out);

/* Returns the number under which radios show a CTCSS tone, 12 for 100.0; 0: none of the 38 tones.
 */
int tones_number(struct text ctcss);

#endif
