/* Sets of bands and modes in which an item of an award was worked. */
#ifndef QSOSYNC_QSO_AWARD_CELLS_H
#define QSOSYNC_QSO_AWARD_CELLS_H

#include <stdint.h>

#include "qso/qso.h"

/* A bit for a band and a mode: of award_cell. */
typedef uint32_t award_cells;
_Static_assert(BAND_COUNT *(MODE_COUNT + 1) <= 32, "each band and mode has a bit");

/* The bit of a band (or of BAND_COUNT: all bands) and a mode (MATCH_NO_MODE: none given; MODE_COUNT
 * all of them, and none given). */
award_cells award_cells_of(int band, int mode);

/* Returns the bits of a band and all modes of the family of this mode. */
award_cells award_cells_of_family(int band, int mode);

#endif
