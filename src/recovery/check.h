/* Checks all stored data, and reports findings for the operator. */
#ifndef QSOSYNC_RECOVERY_CHECK_H
#define QSOSYNC_RECOVERY_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "database/result.h"
#include "qso/qso.h"

struct store;

/* Findings are sentences; programs need only the first. */
typedef void check_visitor(void *context, const char *sentence);
struct check_result {
    int64_t count;
    char first[400]; /* "": no problem */
};

/* Finds all problems: pages, foreign keys, rules that span rows. Calls visit (may be NULL) with a
 * sentence for each. STORE_DONE: the check ran. */
enum store_result store_check(struct store *store, check_visitor *visit, void *context,
                              struct check_result *problems);

/* The same for findings that are not damage, but that an operator should know about. */
enum store_result store_list_remarks(struct store *store, check_visitor *visit, void *context,
                                     struct check_result *remarks);

/* Whether the service could have written a QSO from a foreign file. */

/* The schema's CHECKs cover numbers, choices and lengths. This covers the rest: texts are UTF-8
 * without NUL, UUIDs have their length, times can be written. */
bool sound_is_qso(const struct qso *qso);

#endif
