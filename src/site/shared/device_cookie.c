/* Recognises a device on which a member has signed in before. After a session, the browser keeps
 * the session's cookie in a list of at most eight cookies. The list has one cookie per member who
 * was signed in with this browser. Nobody can forge such a cookie (store_cookie_is_of). The cookie
 * grants nothing, and only shows that the member has used the device. The browser removes the
 * answers that it has cached during the session. */
#include "site/shared/device_cookie.h"

#include <ctype.h>
#include <string.h>

#include "http/cookie.h"
#include "site/shared/session.h"
#include "store/people/sessions.h"

#define COOKIES_MAX 8

/* Splits the next cookie off the list. Returns no text if the list is empty. */
static struct text take_cookie(struct text *list)
{
    const struct text cookie = {list->bytes, API_KEY_COOKIE_LENGTH};
    if (list->length < cookie.length)
        return (struct text){0};
    *list = text_skip(*list, cookie.length);
    return cookie;
}

static const char *list_name(struct exchange *exchange)
{
    return arena_print(exchange->arena, "%s-device", session_cookie_name(exchange));
}

static struct text find_list(struct exchange *exchange)
{
    if (!session_is_possible(exchange))
        return (struct text){0};
    return cookie_find(request_variable(exchange->request, "HTTP_COOKIE"), list_name(exchange));
}

void device_cookie_remember(struct exchange *exchange, int64_t member_id)
{
    struct text cookie = session_cookie(exchange), list = find_list(exchange), other;
    char *kept = arena_allocate(exchange->arena, COOKIES_MAX * API_KEY_COOKIE_LENGTH);
    size_t length = cookie.length;
    if (cookie.length != API_KEY_COOKIE_LENGTH ||
        text_count_leading(cookie, isalnum) < cookie.length)
        return;
    response_add_header(exchange->response, "Clear-Site-Data", "\"cache\"");
    memcpy(kept, cookie.bytes, length);
    while (length < COOKIES_MAX * API_KEY_COOKIE_LENGTH && (other = take_cookie(&list)).bytes &&
           text_count_leading(other, isalnum) == other.length)
        if (!store_cookie_is_of(exchange->store, other, member_id)) {
            memcpy(kept + length, other.bytes, other.length);
            length += other.length;
        }
    cookie_set(exchange->response, list_name(exchange), (struct text){kept, length},
               SESSION_COOKIE_SECONDS);
}

struct text device_cookie_find(struct exchange *exchange, int64_t member_id)
{
    struct identity identity;
    struct text cookie = session_cookie(exchange), list = find_list(exchange);
    if (session_find(exchange, &identity) == STORE_DONE && identity.member_id == member_id)
        return cookie;
    for (int i = 0; i <= COOKIES_MAX; i++, cookie = take_cookie(&list))
        if (store_cookie_is_of(exchange->store, cookie, member_id))
            return cookie;
    return (struct text){0};
}

void device_cookie_end_session(struct exchange *exchange, int64_t member_id)
{
    session_set_cookie(exchange, (struct text){0});
    device_cookie_remember(exchange, member_id);
}
