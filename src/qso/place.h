/* Where the two stations of a QSO are, and the distance between them, for display and counting. */
#ifndef QSOSYNC_QSO_PLACE_H
#define QSOSYNC_QSO_PLACE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "qso/locator.h"
#include "qso/qso.h"

#define PLACE_SQUARE_LENGTH 4
#define PLACE_SQUARES (18 * 18 * 100)

struct place {
    double lat, lng; /* degrees */
};

/* The place of the station worked: its exact coordinates, else the middle of its locator; *exact
 * tells which. 0, 0 is what programs send that know no coordinates. False: it is not known. */
bool place_of_dx(const struct qso *qso, struct place *place, bool *exact);

/* The member's own place in this QSO: the middle of the QSO's locator, else of the member's. */
bool place_of_member(const struct qso *qso, struct text member_locator, struct place *place);

/* The locator of the station worked, in upper case: the QSO's locator, or else that of its exact
 * coordinates, with six characters. Returns its length, or 0 if it is unknown. Its first
 * PLACE_SQUARE_LENGTH characters are the QSO's square. */
size_t place_find_locator(const struct qso *qso, char out[LOCATOR_LENGTH_MAX]);

/* The number of that square, less than PLACE_SQUARES; -1: it is not known. */
int place_find_square(const struct qso *qso);

/* The way over the ground, on a globe with a radius of 6,371 km, as the pages compute it. */
double place_distance_km(const struct place *from, const struct place *to);

#endif
