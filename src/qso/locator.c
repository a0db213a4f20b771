/* Checks and normalises Maidenhead locators of four or six characters, and finds their middle.
 *
 * Rejects any other text instead of repairing it. */
#include "qso/locator.h"

#include <ctype.h>
#include <string.h>

/* The first and the last character that each position allows, in normal form. */
static const struct {
    char first;
    char last;
} positions[LOCATOR_LENGTH_MAX] = {
    {'A', 'R'}, {'A', 'R'}, {'0', '9'}, {'0', '9'}, {'a', 'x'}, {'a', 'x'},
};

bool locator_normalise(struct text text, char *out)
{
    char normal[LOCATOR_LENGTH_MAX];
    if (text.length != 4 && text.length != 6)
        return false;
    for (size_t i = 0; i < text.length; i++) {
        int character = (unsigned char)text.bytes[i];
        normal[i] = (char)(islower(positions[i].first) ? tolower(character) : toupper(character));
        if (normal[i] < positions[i].first || normal[i] > positions[i].last)
            return false;
    }
    memcpy(out, normal, text.length);
    return true;
}

bool locator_find_middle(struct text locator, double *lat, double *lng)
{
    char normal[LOCATOR_LENGTH_MAX];
    if (!locator.bytes || !locator_normalise(locator, normal))
        return false;
    bool has_subsquare = locator.length == LOCATOR_LENGTH_MAX;
    double east = (normal[0] - 'A') * 20 + (normal[2] - '0') * 2;
    double north = (normal[1] - 'A') * 10 + (normal[3] - '0');
    east += has_subsquare ? (normal[4] - 'a' + 0.5) / 12 : 1;
    north += has_subsquare ? (normal[5] - 'a' + 0.5) / 24 : 0.5;
    *lat = north - 90;
    *lng = east - 180;
    return true;
}
