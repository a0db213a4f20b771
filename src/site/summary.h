/* The statistics and the awards of a log, or of the part of it that the query of an address wants.
 */
#ifndef QSOSYNC_SITE_SUMMARY_H
#define QSOSYNC_SITE_SUMMARY_H

#include "http/error.h"
#include "qso/awards.h"
#include "site/kept.h"

/* Appends one of them to the answer: the awards as an object, the statistics as members of one.
 * Those of a whole log come from what was kept where the log is as it was; where it is not, both
 * are counted on one walk, and kept. */
const struct error *summary_answer(struct exchange *exchange, enum kept_kind kind);

/* Counts the awards alone on one walk. NULL: *awards is filled, from the exchange's arena. */
const struct error *summary_count_awards(struct exchange *exchange, struct awards *awards);

#endif
