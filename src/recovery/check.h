/* Looks at everything that is stored, and at what an operator should know. */
#ifndef QSOSYNC_RECOVERY_CHECK_H
#define QSOSYNC_RECOVERY_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "database/result.h"
#include "qso/qso.h"

struct store;

/* Calls report with a sentence for everything that is wrong: pages, foreign keys, rules that span
 * rows. STORE_DONE: the check ran; *problems tells how many there were. */
enum store_result store_check(struct store *store,
                              void (*report)(void *context, const char *problem), void *context,
                              int64_t *problems);

/* The same for a private copy, which nobody else uses. */
enum store_result store_check_candidate(struct store *store,
                                        void (*report)(void *context, const char *problem),
                                        void *context, int64_t *problems);

/* Calls visit with a sentence for everything that is no damage, but that an operator should know.
 */
enum store_result store_list_remarks(struct store *store,
                                     void (*visit)(void *context, const char *remark),
                                     void *context);

/* Whether a QSO out of a file from elsewhere is one that the service could have written. */

/* The schema's CHECKs hold numbers, choices and lengths; this holds what they cannot: texts are
 * UTF-8 without NUL, UUIDs have their length, times can be written. */
bool sound_is_qso(const struct qso *qso);

#endif
