/* Helpers of the routes below /profile/data/alerts. src/store/alerts stores the rules, the ways and
 * the settings, and checks their values. */
#ifndef QSOSYNC_SITE_ALERTS_H
#define QSOSYNC_SITE_ALERTS_H

#include "qso/spot.h"
#include "store/alerts/alert_rules.h"
#include "worker/route.h"

/* The words for the numbers in a rule; each list ends with NULL. */
extern const char *const alerts_subjects[], *const alerts_needs[], *const alerts_sources[];

/* Reads an optional field that is one of the words. Without the field, or if it is null, *index is
 * unchanged. */
const struct error *alerts_read_word(struct exchange *exchange, const char *name,
                                     const char *const *words, int64_t *index);

/* Reads an optional field that is an integer of at least 0. Without the field, *number is
 * unchanged; if it is null, *number is -1. */
const struct error *alerts_read_number(struct exchange *exchange, const char *name,
                                       int64_t *number);

/* Reads the rule in the body, and checks it. */
const struct error *alerts_read_rule(struct exchange *exchange, struct alert_rule *rule);

/* Writes a field with this number, or with null if the number is negative. */
void alerts_write_number(struct exchange *exchange, const char *name, int64_t number);

/* Write the fields "rules", "ways" and "mutes" with the member's items, and the fields of the
 * member's settings. */
enum store_result alerts_write_rules(struct exchange *exchange);
enum store_result alerts_write_ways(struct exchange *exchange);
enum store_result alerts_write_settings(struct exchange *exchange);

/* Returns the error to answer with, as profile_store_error does. STORE_REFUSED means that the
 * member has the maximum number of rules, ways, mutes or trials. */
const struct error *alerts_store_error(enum store_result result);

#endif
