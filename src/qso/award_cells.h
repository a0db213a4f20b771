/* Sets of the bands and modes in which an award's item was worked or confirmed. */
#ifndef QSOSYNC_QSO_AWARD_CELLS_H
#define QSOSYNC_QSO_AWARD_CELLS_H

#include <stdint.h>

#include "qso/qso.h"

/* A set with one bit for each pair of a band and a mode, or of a band and no mode. */
typedef uint32_t award_cells;
_Static_assert(BAND_COUNT *(MODE_COUNT + 1) <= 32, "each band and mode has a bit");

/* Returns the bits of a band and a mode. BAND_COUNT means all bands. MATCH_NO_MODE means QSOs
 * without a mode. MODE_COUNT means all modes, and QSOs without a mode. */
award_cells award_cells_of(int band, int mode);

/* Returns the bits of a band with all modes in the family of this mode. */
award_cells award_cells_of_family(int band, int mode);

#endif
