/* Decides whether a request's use of a credential is recorded. store/people/keys.c stores the use.
 */
#include "worker/last_use.h"

#include "base/datetime.h"
#include "store/people/keys.h"

#define PROGRAM_MS 10000 /* minimum time between two recorded changes of a program */

void last_use_note(const struct exchange *exchange)
{
    static int64_t last_ms = -PROGRAM_MS;
    const struct identity *identity = &exchange->identity;
    const struct request *request = exchange->request;
    const int64_t day = request->arrived_ms / DATETIME_DAY_MS;
    if (identity->credential == CREDENTIAL_NONE || identity->credential == CREDENTIAL_PEER)
        return;
    const bool is_other = exchange->program.bytes &&
                          !text_equals(exchange->program, identity->last_program) &&
                          request->arrived_monotonic_ms - last_ms >= PROGRAM_MS;
    if (identity->last_used_day >= day && !is_other)
        return;
    if (identity->last_used_day >= day)
        last_ms = request->arrived_monotonic_ms;
    store_record_use(exchange->store, identity->credential, identity->key_number,
                     day > identity->last_used_day ? day : identity->last_used_day,
                     identity->credential == CREDENTIAL_SESSION ? NULL : &exchange->program);
}
