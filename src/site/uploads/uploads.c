/* Helpers for the routes of all upload programs: they identify a member by a token, and save ADIF
 * records. */
#include "site/uploads/uploads.h"

#include "base/api_key.h"
#include "http/device.h"
#include "site/uploads/routes.h"
#include "store/transaction.h"
#include "transfer/import.h"

enum store_result uploads_identify(struct exchange *exchange, struct text token,
                                   enum api_key_kind kind)
{
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    exchange->program =
        device_program(exchange->arena, request_variable(exchange->request, "HTTP_USER_AGENT"));
    if (!token.bytes || !api_key_is(kind, text_trim(token)))
        return STORE_NONE;
    api_key_fingerprint(text_trim(token), fingerprint);
    enum store_result result =
        store_find_credential(exchange->store, CREDENTIAL_TOKEN, exchange->arena, fingerprint,
                              exchange->request->arrived_ms, &exchange->identity);
    if (result == STORE_DONE && route_take_turn(exchange, exchange->identity.member_id))
        return STORE_BUSY;
    if (result == STORE_DONE)
        store_write_as(exchange->store, exchange->arena, &exchange->identity);
    return result;
}

enum store_result uploads_import(struct exchange *exchange, struct text adif, bool dry_run,
                                 struct report *report)
{
    return import_take(
        import_create(exchange->store, &exchange->identity, dry_run, report, exchange->arena), adif,
        NULL);
}
