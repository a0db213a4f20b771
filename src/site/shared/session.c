/* Names the cookies. With TLS the name has the prefix "__Host-": browsers accept such a cookie only
 * from this host and send it only over TLS (RFC 6265bis, section 4.1.3). Without TLS the cookie
 * exists only at the machine's own addresses, where nobody can listen on the way. The store has the
 * sessions. */
#include "site/shared/session.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/host_local.h"
#include "http/form.h"
#include "json/read.h"
#include "json/write.h"
#include "site/shared/address.h"
#include "store/people/sessions.h"
#include "worker/body.h"
#include "worker/input.h"

#define COOKIE_WITH_TLS "__Host-qsosync"
#define COOKIE_WITHOUT_TLS "qsosync"
#define COOKIE_OF_LED "qsosync-led"
#define DEVICE_COOKIES_MAX 8
#define SESSION_SECONDS ((int64_t)SESSION_DAYS * 86400)

/* NULL: none is possible. Behind a proxy that ends TLS the request does not tell, and may even name
 * a host of this machine, but the service's address does. */
static const char *cookie_name(struct exchange *exchange)
{
    struct host host;
    if (address_is_encrypted(exchange->request) ||
        strncasecmp(address_of_service(exchange), "https://", strlen("https://")) == 0)
        return COOKIE_WITH_TLS;
    bool is_local = address_find_host(exchange->request, &host) && host_is_this_machine(&host);
    return is_local ? COOKIE_WITHOUT_TLS : NULL;
}

struct text session_cookie(struct exchange *exchange)
{
    const char *name = cookie_name(exchange);
    return name ? cookie_find(request_variable(exchange->request, "HTTP_COOKIE"), name)
                : (struct text){0};
}

bool session_is_possible(struct exchange *exchange)
{
    return cookie_name(exchange) != NULL;
}

enum store_result session_find(struct exchange *exchange, struct identity *out)
{
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    struct text cookie = session_cookie(exchange);
    if (cookie.length != API_KEY_COOKIE_LENGTH)
        return STORE_NONE;
    api_key_fingerprint(cookie, fingerprint);
    return store_find_credential(exchange->store, CREDENTIAL_SESSION, exchange->arena, fingerprint,
                                 exchange->request->arrived_ms, out);
}

void session_set_cookie(struct exchange *exchange, struct text cookie)
{
    const char *name = cookie_name(exchange);
    if (name)
        cookie_set(exchange->response, name, cookie, cookie.bytes ? SESSION_SECONDS : 0);
}

void session_end_cookie(struct exchange *exchange, int64_t member_id)
{
    session_set_cookie(exchange, (struct text){0});
    session_remember_device(exchange, member_id);
}

/* -- Devices ----------------------------------------------------------------------------------- */

/* After a session, the browser keeps its cookie in a list, with one cookie per member who was
 * signed in there. Nobody can forge such a cookie (store_cookie_is_of), and it grants nothing: it
 * only shows that the member has used the device. */

/* Splits the next cookie off the list; no text: the list is empty. */
static struct text take_cookie(struct text *list)
{
    const struct text cookie = {list->bytes, API_KEY_COOKIE_LENGTH};
    if (list->length < cookie.length)
        return (struct text){0};
    *list = text_skip(*list, cookie.length);
    return cookie;
}

static const char *device_cookie_name(struct exchange *exchange)
{
    return arena_print(exchange->arena, "%s-device", cookie_name(exchange));
}

static struct text find_list(struct exchange *exchange)
{
    if (!session_is_possible(exchange))
        return (struct text){0};
    return cookie_find(request_variable(exchange->request, "HTTP_COOKIE"),
                       device_cookie_name(exchange));
}

void session_remember_device(struct exchange *exchange, int64_t member_id)
{
    struct text cookie = session_cookie(exchange), list = find_list(exchange), other;
    char *kept = arena_allocate(exchange->arena, DEVICE_COOKIES_MAX * API_KEY_COOKIE_LENGTH);
    size_t length = cookie.length;
    if (cookie.length != API_KEY_COOKIE_LENGTH ||
        text_count_leading(cookie, isalnum) < cookie.length)
        return;
    memcpy(kept, cookie.bytes, length);
    while (length < DEVICE_COOKIES_MAX * API_KEY_COOKIE_LENGTH &&
           (other = take_cookie(&list)).bytes && text_count_leading(other, isalnum) == other.length)
        if (!store_cookie_is_of(exchange->store, other, member_id)) {
            memcpy(kept + length, other.bytes, other.length);
            length += other.length;
        }
    cookie_set(exchange->response, device_cookie_name(exchange), (struct text){kept, length},
               SESSION_SECONDS);
}

struct text session_find_device(struct exchange *exchange, int64_t member_id)
{
    struct identity identity;
    struct text cookie = session_cookie(exchange), list = find_list(exchange);
    if (session_find(exchange, &identity) == STORE_DONE && identity.member_id == member_id)
        return cookie;
    for (int i = 0; i <= DEVICE_COOKIES_MAX; i++, cookie = take_cookie(&list))
        if (store_cookie_is_of(exchange->store, cookie, member_id))
            return cookie;
    return (struct text){0};
}

/* If a proxy hides from us by which name it was asked, a browser would be led round in circles;
 * the cookie ends that. It comes with a link on another site, too. */
bool session_redirect_to_own_host(struct exchange *exchange)
{
    const char *address;
    if (exchange->route->access == ACCESS_UPLOADS || !submission_wants_page(exchange->request) ||
        !(address = address_at_own_name(exchange)) ||
        cookie_find(request_variable(exchange->request, "HTTP_COOKIE"), COOKIE_OF_LED).bytes)
        return false;
    exchange->status = 303;
    exchange->is_private = true;
    response_add_header(exchange->response, "Set-Cookie",
                        COOKIE_OF_LED "=1; Max-Age=10; Path=/; HttpOnly; SameSite=Lax");
    response_add_header(exchange->response, "Location", address);
    return true;
}

/* -- What the pages for signing in send -------------------------------------------------------- */

static bool is_form(const struct request *request)
{
    return content_type_is(request_variable(request, "CONTENT_TYPE"),
                           "application/x-www-form-urlencoded");
}

bool submission_wants_page(const struct request *request)
{
    return is_form(request) ||
           (!content_type_is(request_variable(request, "CONTENT_TYPE"), "application/json") &&
            strstr(request_variable(request, "HTTP_ACCEPT"), "text/html") != NULL);
}

const struct route_body submission_body = {
    .type = BODY_JSON_OR_FORM, .bytes_max = 8192, .json = {.items_max = 16}};

const struct error *submission_read(struct exchange *exchange, const char *const *names,
                                    struct text values[SUBMISSION_FIELDS_MAX])
{
    const bool has_form = is_form(exchange->request);
    const struct json_fields *fields = NULL;
    const char *message = NULL;
    struct table form;
    struct text body;
    if (has_form) {
        TRY(body_read(exchange, &body));
        message = form_read(body, submission_body.json.items_max, exchange->arena, &form);
    } else {
        TRY(body_read_object(exchange, &fields));
    }
    for (size_t i = 0; !message && names[i]; i++) {
        values[i] = has_form ? form_find(&form, names[i]) : json_read_text(fields, names[i]);
        if (text_has_nul(values[i]))
            message = "must not contain U+0000";
    }
    return message ? input_refuse(exchange, "body", message) : NULL;
}
