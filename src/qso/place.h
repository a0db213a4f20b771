/* The places of a QSO's two stations, and the distance between them, for display and counting. */
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

/* Finds the place of the station worked: its exact coordinates, or else the middle of its locator.
 * *exact receives whether the place is from coordinates. The coordinates 0, 0 do not count, because
 * programs without coordinates send them. Returns false if the place is unknown. */
bool place_of_dx(const struct qso *qso, struct place *place, bool *exact);

/* Finds the member's own place in this QSO: the middle of the QSO's myLocator, or else of the
 * member's locator. Returns false if both are missing. */
bool place_of_member(const struct qso *qso, struct text member_locator, struct place *place);

/* Finds the locator of the station worked, in upper case: the QSO's dxLocator, or else six
 * characters computed from the exact coordinates. Returns the length; 0 if the locator is unknown.
 * The first PLACE_SQUARE_LENGTH characters are the QSO's square. */
size_t place_find_locator(const struct qso *qso, char out[LOCATOR_LENGTH_MAX]);

/* Returns the number of the QSO's square, less than PLACE_SQUARES; -1 if the square is unknown. */
int place_find_square(const struct qso *qso);

/* Writes the name of the square with this number, such as JO59. */
void place_name_square(int square, char out[PLACE_SQUARE_LENGTH]);

/* Returns the distance over the ground, on a globe with a radius of 6,371 km. The pages compute
 * distances in the same way. */
double place_distance_km(const struct place *from, const struct place *to);

#endif
