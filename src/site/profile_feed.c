/* POST /profile/data/feed-code: the code by which the cluster feed knows the member. It is a POST
 * because the first one makes the secret that the code comes from. What the feed shows by it is in
 * src/feed/news.c. */
#include "json/write.h"
#include "site/profile.h"
#include "store/feed_members.h"

static const struct error *answer_code(struct exchange *exchange)
{
    struct buffer *out = &exchange->response->body;
    const struct json_fields *body;
    char code[FEED_CODE_LENGTH + 1];
    const struct error *error = profile_read_body(exchange, &body);
    if (!error)
        error =
            profile_store_error(store_make_feed_code(exchange->store, exchange->member.id, code));
    if (error)
        return error;
    buffer_append(out, "{", 1);
    json_write_text(out, "code", text_of(code));
    buffer_append(out, "}", 1);
    return NULL;
}

PROFILE_ROUTE(profile_feed_code, METHOD_POST, "feed-code", USES_STORE, 200, answer_code);
