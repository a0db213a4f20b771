/* Checks everything that is stored, and reports what an operator should know. */
#ifndef QSOSYNC_RECOVERY_CHECK_H
#define QSOSYNC_RECOVERY_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "database/result.h"
#include "qso/qso.h"

struct store;

/* Sentences; programs need only the first. */
typedef void check_visitor(void *context, const char *sentence);
struct check_result {
    int64_t count;
    char first[400]; /* "": there is none */
};

/* Looks for everything that is wrong: pages, foreign keys, rules that span rows; visit (NULL:
 * nobody) is called with a sentence for each. STORE_DONE: the check ran. */
enum store_result store_check(struct store *store, check_visitor *visit, void *context,
                              struct check_result *problems);

/* The same for everything that is no damage, but that an operator should know. */
enum store_result store_list_remarks(struct store *store, check_visitor *visit, void *context,
                                     struct check_result *remarks);

/* Whether a QSO out of a file from elsewhere is one that the service could have written. */

/* The schema's CHECKs hold numbers, choices and lengths; this holds what they cannot: texts are
 * UTF-8 without NUL, UUIDs have their length, times can be written. */
bool sound_is_qso(const struct qso *qso);

#endif
