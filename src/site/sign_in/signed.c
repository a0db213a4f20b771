/* Reads the data that a passkey has signed for our page (Web Authentication, sections 5.8.1 and
 * 7.2): the browser sends four fields, each in base64url. An unknown passkey, another page's data
 * and an invalid signature receive the same answer. */
#include "site/sign_in/signed.h"

#include <ctype.h>

#include "base/base64.h"
#include "base/host.h"
#include "base/passkey.h"
#include "json/write_object.h"
#include "qso/award_cells.h"
#include "site/shared/address.h"
#include "site/shared/origin.h"
#include "site/shared/site_error.h"
#include "site/shared/submission.h"
#include "site/sign_in/attempt.h"
#include "worker/input.h"

const char *const signed_fields[] = {"credential", "clientData", "authenticatorData", "signature",
                                     NULL};
_Static_assert(sizeof signed_fields / sizeof *signed_fields - 1 == SUBMISSION_FIELDS_MAX,
               "all fields are read");

struct text signed_rp_id(struct exchange *exchange)
{
    struct web_address own = {0};
    host_read_address(text_of(address_of_service(exchange)), &own);
    char *id = arena_copy(exchange->arena, own.host.name.bytes, own.host.name.length);
    for (char *next = id; *next; next++)
        *next = (char)tolower((unsigned char)*next);
    return text_of(id);
}

const struct error *signed_decode(struct exchange *exchange, struct text values[], int first,
                                  int last)
{
    for (int i = first; i <= last; i++) {
        values[i] = base64url_decode(values[i], exchange->arena);
        if (!values[i].bytes)
            return input_refuse(exchange, signed_fields[i], "must be base64url");
    }
    return NULL;
}

bool signed_read_client_data(struct exchange *exchange, struct text json, const char *type,
                             struct answered *answered)
{
    static const struct json_bounds bounds = {.items_max = 64};
    const char *message;
    const struct json_fields *data = json_read_object(json, &bounds, exchange->arena, &message);
    struct text origin = data ? json_read_text(data, "origin") : (struct text){0};
    if (!origin.bytes || text_has_nul(origin) || json_read_flag(data, "crossOrigin") ||
        !text_equals(json_read_text(data, "type"), text_of(type)) ||
        !origin_is_own(exchange, arena_copy(exchange->arena, origin.bytes, origin.length)))
        return false;
    answered->challenge = base64url_decode(json_read_text(data, "challenge"), exchange->arena);
    return answered->challenge.bytes != NULL;
}

const struct error *signed_read_use(struct exchange *exchange, struct text values[],
                                    struct passkey_use *use)
{
    struct passkey_data data;
    TRY(signed_decode(exchange, values, SIGNED_CREDENTIAL, SIGNED_SIGNATURE));
    enum store_result result =
        store_find_passkey(exchange->store, values[SIGNED_CREDENTIAL], &use->owner);
    TRY(route_find_error(result, NULL));
    if (result == STORE_NONE ||
        !signed_read_client_data(exchange, values[SIGNED_CLIENT_DATA], "webauthn.get",
                                 &use->answered) ||
        !passkey_read(values[SIGNED_AUTHENTICATOR_DATA], signed_rp_id(exchange), false, &data) ||
        !passkey_verify(use->owner.point, values[SIGNED_AUTHENTICATOR_DATA],
                        values[SIGNED_CLIENT_DATA], values[SIGNED_SIGNATURE]))
        return &site_error_passkey_wrong;
    use->sign_count = data.sign_count;
    return NULL;
}

const struct error *signed_write_challenge(struct exchange *exchange, const unsigned char *session)
{
    struct buffer *body = exchange->body;
    unsigned char challenge[CHALLENGE_BYTES];
    TRY(route_store_error(
        store_make_challenge(exchange->store, exchange->request->arrived_ms, session, challenge)));
    json_write_fields(
        body,
        json_text("challenge", base64url_encode(challenge, sizeof challenge, exchange->arena)),
        json_text("rpId", signed_rp_id(exchange)));
    return NULL;
}

const struct error *signed_count_failure(struct exchange *exchange, const struct error *error)
{
    const bool is_counted =
        error == &site_error_passkey_wrong || error == &site_error_passkey_copied;
    return is_counted ? attempt_note_failure(exchange, error) : error;
}
