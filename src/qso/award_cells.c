/* Computes the bits of bands and modes. */
#include "qso/award_cells.h"

#include "qso/match.h"

#define CELLS_OF_BAND (MODE_COUNT + 1)

award_cells award_cells_of(int band, int mode)
{
    if (band == BAND_COUNT) {
        award_cells cells = 0;
        for (int each = 0; each < BAND_COUNT; each++)
            cells |= award_cells_of(each, mode);
        return cells;
    }
    const award_cells in_band = mode == MODE_COUNT ? (1u << CELLS_OF_BAND) - 1 : 1u << (mode + 1);
    return in_band << (band * CELLS_OF_BAND);
}

award_cells award_cells_of_family(int band, int mode)
{
    award_cells cells = 0;
    for (int each = 0; each < MODE_COUNT; each++)
        if (match_mode_family(each) == match_mode_family(mode))
            cells |= award_cells_of(band, each);
    return cells;
}
