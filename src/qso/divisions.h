/* The country that the number at the beginning of an 11 m callsign stands for. For display only: no
 * value is changed or refused because of it. */
#ifndef QSOSYNC_QSO_DIVISIONS_H
#define QSOSYNC_QSO_DIVISIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

struct division {
    char prefix[5]; /* of amateur callsigns there, as the DXCC list has it */
    const char *name;
    char iso[3];       /* ISO 3166-1, two letters, or XK for Kosovo; empty: none */
    char continent[3]; /* AF, AN, AS, EU, NA, OC or SA */
    /* No longer on the air, such as East Germany: counts if worked, but is never listed as missing.
     */
    bool is_abolished;
};

#define DIVISIONS_END 353 /* numbers of divisions are less */
#define DIVISIONS_NONE 0

/* The number of the division in which a station is: 26 of 26AT101, with or without separators and
 * suffixes, and 161 of 161/21SD333, which is a station of division 21 there. DIVISIONS_NONE: the
 * callsign begins with no number of a division, or no callsign is behind it. */
int divisions_number(struct text callsign);

/* The number that the text is, of one to three digits and nothing else, if a division has it;
 * otherwise DIVISIONS_NONE. */
int divisions_read_number(struct text text);

/* The division with this number; NULL: there is none. */
const struct division *divisions_at(int number);

/* The division of a callsign; NULL if it has no number of one. */
const struct division *divisions_find(struct text callsign);

#endif
