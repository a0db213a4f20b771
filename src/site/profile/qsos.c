/* Writes to the log from the profile page, by the rules of the API: POST /profile/data/qsos adds
 * and changes QSOs, DELETE /profile/data/qsos/{clientId} deletes a QSO, and POST
 * /profile/data/delete-log deletes all QSOs. The body of POST qsos is a batch like the API's. The
 * history names the session as the writer. */
#include "base/uuid.h"
#include "json/write_object.h"
#include "site/profile/profile.h"
#include "site/profile/routes.h"
#include "store/log/qsos_delete.h"
#include "store/people/member_deletion.h"
#include "store/people/members.h"
#include "transfer/batch.h"

#define CLIENT_ID_SEGMENT 3 /* /profile/data/qsos/{clientId} */

static const struct error *answer_save(struct exchange *exchange)
{
    const struct json_fields *sent;
    struct batch batch;
    struct transaction transaction;
    TRY(body_read_object(exchange, &sent));
    if (!batch_read(sent, exchange->arena, &batch))
        return input_refuse(exchange, BATCH_LIST, BATCH_RULE);
    TRY(profile_store_error(store_begin_write(exchange->store, &transaction)));
    TRY(profile_store_error(store_finish(
        &transaction, batch_save(&transaction, &exchange->identity, &batch, exchange->arena))));
    batch_append_results(&batch, true, exchange->body);
    return NULL;
}

static const struct error *answer_delete(struct exchange *exchange)
{
    unsigned char client_id[UUID_BYTES];
    struct transaction transaction;
    if (!uuid_parse_text(exchange->request->segments[CLIENT_ID_SEGMENT], client_id))
        return input_refuse(exchange, "clientId", "must be a UUID");
    TRY(profile_store_error(store_begin_write(exchange->store, &transaction)));
    return profile_store_error(
        store_finish(&transaction, store_delete_qso(&transaction, &exchange->identity, client_id)));
}

static const struct route_body batch_body = {.bytes_max = REQUEST_BODY_MAX_BYTES,
                                             .json = BATCH_BOUNDS};

SITE_ROUTE(profile_save_qsos, METHOD_POST, "/profile/data/qsos", .access = ACCESS_LOG,
           .use = USES_STORE, .body = &batch_body, .status = 200, .answer = answer_save);
PROFILE_ROUTE_OF_LOG(profile_delete_qso, METHOD_DELETE, "qsos/{clientId}", 204, answer_delete);

static const struct error *answer_delete_log(struct exchange *exchange)
{
    int64_t deleted;
    struct text callsign = text_trim(json_read_text(exchange->sent, "callsign"));
    if (!callsign.bytes || !match_same_callsign(callsign, exchange->member.callsign))
        return input_refuse(exchange, "callsign", "must be your own callsign");
    TRY(profile_store_error(store_delete_log(exchange->store, exchange->member.id, &deleted)));
    json_write_fields(exchange->body, json_integer("deleted", deleted));
    return NULL;
}

PROFILE_ROUTE(profile_delete_log, METHOD_POST, "delete-log", 200, answer_delete_log,
              .body = &body_small_object);
