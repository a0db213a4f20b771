/* POST /profile/data/qsos and DELETE /profile/data/qsos/{clientId}: a member adds, changes and
 * deletes QSOs on the profile page, by the rules of the API. The session is
 * the writer, by which the history names who wrote. A page sends one QSO at a time; that it may be
 * a batch keeps both ways alike. */
#include "base/uuid.h"
#include "site/profile.h"
#include "transfer/batch.h"

#define CLIENT_ID_SEGMENT 3 /* /profile/data/qsos/{clientId} */

static const struct error *answer_save(struct exchange *exchange)
{
    struct text text;
    struct batch batch;
    struct transaction transaction;
    const char *field, *message;
    const struct error *error = request_read_body(exchange->request, &text);
    if (error)
        return error;
    if (!batch_read(text, exchange->arena, &batch, &field, &message))
        return message ? profile_refuse(exchange, field, message) : &error_internal;
    enum store_result result = store_begin_write(exchange->store, &transaction);
    if (result == STORE_DONE)
        result = store_finish(&transaction, batch_save(&transaction, &exchange->identity, &batch));
    if (result == STORE_DONE)
        batch_append_results(&batch, &exchange->response->body);
    return profile_store_error(result);
}

static const struct error *answer_delete(struct exchange *exchange)
{
    unsigned char client_id[UUID_BYTES];
    struct transaction transaction;
    if (!uuid_parse_text(exchange->request->segments[CLIENT_ID_SEGMENT], client_id))
        return profile_refuse(exchange, "clientId", "must be a UUID");
    enum store_result result = store_begin_write(exchange->store, &transaction);
    if (result == STORE_DONE)
        result = store_finish(&transaction,
                              store_delete_qso(&transaction, &exchange->identity, client_id));
    return profile_store_error(result);
}

PROFILE_ROUTE(profile_save_qsos, METHOD_POST, "qsos", USES_STORE, 200, answer_save);
PROFILE_ROUTE(profile_delete_qso, METHOD_DELETE, "qsos/{clientId}", USES_STORE, 204, answer_delete);
