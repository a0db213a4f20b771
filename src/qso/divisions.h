/* Finds the country by the number at the start of an 11 m callsign, only for display. No value is
 * changed or rejected because of it. */
#ifndef QSOSYNC_QSO_DIVISIONS_H
#define QSOSYNC_QSO_DIVISIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

struct division {
    char prefix[5]; /* prefix of amateur callsigns there, from the DXCC list */
    const char *name;
    char iso[3];       /* ISO 3166-1, two letters, or XK for Kosovo; empty: none */
    char continent[3]; /* AF, AN, AS, EU, NA, OC or SA */
    /* no longer on the air, such as East Germany: counts if worked, but is never listed as missing
     */
    bool is_abolished;
};

#define DIVISIONS_END 353 /* all numbers of divisions are less */
#define DIVISIONS_NONE 0

/* Returns the number of the division in which a station is: 26 for 26AT101, with or without
 * separators and suffixes. It is 161 for 161/21SD333, a station of division 21 on the air there.
 * Returns DIVISIONS_NONE if the callsign does not begin with a division's number, or is only a
 * number. */
int divisions_number(struct text callsign);

/* Returns the number of a text with one to three digits and nothing else, if a division has this
 * number; otherwise DIVISIONS_NONE. */
int divisions_read_number(struct text text);

/* Returns the division with this number, or NULL. */
const struct division *divisions_at(int number);

/* Returns the division of a callsign; NULL if the callsign does not have a division's number. */
const struct division *divisions_find(struct text callsign);

#endif
