/* Finds the country by the number at the beginning of an 11 m callsign, for display, filters and
 * awards. No value is changed or rejected because of the country. */
#ifndef QSOSYNC_QSO_DIVISIONS_H
#define QSOSYNC_QSO_DIVISIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

struct division {
    char prefix[5]; /* prefix of amateur callsigns in this country, from the DXCC list */
    const char *name;
    char iso[3];       /* two letters of ISO 3166-1, or XK for Kosovo; empty: no code */
    char continent[3]; /* AF, AN, AS, EU, NA, OC or SA */
    /* whether the division is no longer on the air, such as East Germany; such a division counts if
     * worked, but is never listed as missing */
    bool is_abolished;
};

#define DIVISIONS_END 353 /* greater than every division's number */
#define DIVISIONS_NONE 0

/* Returns the number of the division in which a station is: 26 for 26AT101, with or without
 * separators and suffixes. For 161/21SD333, a station of division 21 on the air in division 161,
 * returns 161. Returns DIVISIONS_NONE if the callsign does not begin with a division's number, or
 * is only a number. */
int divisions_number(struct text callsign);

/* Returns the number if the text consists of one to three digits and a division has this number;
 * otherwise DIVISIONS_NONE. */
int divisions_read_number(struct text text);

/* Returns the division with this number; NULL if no division has this number. */
const struct division *divisions_at(int number);

/* Returns the division of a callsign; NULL if the callsign does not begin with a division's
 * number. */
const struct division *divisions_find(struct text callsign);

#endif
