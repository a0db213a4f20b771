/* Finds both stations' places by coordinates or locators, whichever a QSO contains, and the
 * distance between the places. */
#include "qso/place.h"

#include <math.h>

#include "qso/locator.h"

#define FIELDS 18 /* possible letters (A to R) at each of a locator's first two positions */
#define RADIUS_KM 6371.0
#define RADIANS (3.14159265358979323846 / 180)

static bool has_coordinates(const struct qso *qso, struct place *place)
{
    const struct value *lat = &qso->values[FIELD_DX_LAT], *lng = &qso->values[FIELD_DX_LNG];
    if (lat->state != VALUE_PRESENT || lng->state != VALUE_PRESENT ||
        (lat->real == 0 && lng->real == 0))
        return false;
    *place = (struct place){lat->real, lng->real};
    return true;
}

bool place_of_dx(const struct qso *qso, struct place *place, bool *exact)
{
    *exact = has_coordinates(qso, place);
    return *exact || locator_find_middle(qso_text(qso, FIELD_DX_LOCATOR), &place->lat, &place->lng);
}

bool place_of_member(const struct qso *qso, struct text member_locator, struct place *place)
{
    return locator_find_middle(qso_text(qso, FIELD_MY_LOCATOR), &place->lat, &place->lng) ||
           locator_find_middle(member_locator, &place->lat, &place->lng);
}

/* Divides 0 to `whole` into `count` equal parts, and returns the number of the part that contains
 * the value. `whole` itself belongs to the last part. */
static int part_of(double value, double whole, int count)
{
    int part = (int)floor(value / whole * count);
    return part < count ? part : count - 1;
}

/* Writes the locator in three pairs of characters: in each pair, first the longitude, then the
 * latitude. */
static void write_locator(const struct place *place, char out[LOCATOR_LENGTH_MAX])
{
    const int lng = part_of(place->lng + 180, 360, 18 * 10 * 24),
              lat = part_of(place->lat + 90, 180, 18 * 10 * 24);
    out[0] = (char)('A' + lng / 240);
    out[1] = (char)('A' + lat / 240);
    out[2] = (char)('0' + lng / 24 % 10);
    out[3] = (char)('0' + lat / 24 % 10);
    out[4] = (char)('A' + lng % 24);
    out[5] = (char)('A' + lat % 24);
}

size_t place_find_locator(const struct qso *qso, char out[LOCATOR_LENGTH_MAX])
{
    struct text locator = qso_text(qso, FIELD_DX_LOCATOR);
    struct place place;
    if (locator.bytes && locator.length <= LOCATOR_LENGTH_MAX) {
        text_to_upper(locator, out);
        return locator.length;
    }
    if (!has_coordinates(qso, &place))
        return 0;
    write_locator(&place, out);
    return LOCATOR_LENGTH_MAX;
}

int place_find_square(const struct qso *qso)
{
    char locator[LOCATOR_LENGTH_MAX];
    if (place_find_locator(qso, locator) < PLACE_SQUARE_LENGTH)
        return -1;
    return ((locator[0] - 'A') * FIELDS + locator[1] - 'A') * 100 + (locator[2] - '0') * 10 +
           locator[3] - '0';
}

void place_name_square(int square, char out[PLACE_SQUARE_LENGTH])
{
    out[0] = (char)('A' + square / 100 / FIELDS);
    out[1] = (char)('A' + square / 100 % FIELDS);
    out[2] = (char)('0' + square / 10 % 10);
    out[3] = (char)('0' + square % 10);
}

double place_distance_km(const struct place *from, const struct place *to)
{
    double north = sin((to->lat - from->lat) * RADIANS / 2),
           east = sin((to->lng - from->lng) * RADIANS / 2);
    double a = north * north + cos(from->lat * RADIANS) * cos(to->lat * RADIANS) * east * east;
    return 2 * RADIUS_KM * asin(sqrt(a < 1 ? a : 1));
}
