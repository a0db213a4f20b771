/* The divisions of what was counted in qso/awards.h. */
#ifndef QSOSYNC_SITE_AWARD_QUERY_H
#define QSOSYNC_SITE_AWARD_QUERY_H

#include "qso/awards.h"
#include "qso/divisions.h"

/* The division with this number where it is neither worked nor abolished; NULL otherwise. */
const struct division *award_query_missing(const struct awards *awards, int number);

/* The division of an item of AWARD_DIVISIONS. */
const struct division *award_query_division(const struct award_item *item);

#endif
