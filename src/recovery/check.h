/* Checks all stored data, and reports findings for the operator. */
#ifndef QSOSYNC_RECOVERY_CHECK_H
#define QSOSYNC_RECOVERY_CHECK_H

#include <stdint.h>

#include "database/result.h"

struct store;

/* Receives a finding as a sentence. */
typedef void check_visitor(void *context, const char *sentence);
struct check_result {
    int64_t count;
    char first[400]; /* text of the first finding; "": no finding */
};

/* Finds problems in pages, foreign keys, and rules that span several rows. Calls `visit`, which can
 * be NULL, with a sentence for each problem. Returns STORE_DONE if the check was completed, even if
 * it found problems. */
enum store_result store_check(struct store *store, check_visitor *visit, void *context,
                              struct check_result *problems);

/* Finds states that are not damage, but that an operator should know about. Calls `visit`, which
 * can be NULL, with a sentence for each state. */
enum store_result store_list_remarks(struct store *store, check_visitor *visit, void *context,
                                     struct check_result *remarks);

#endif
