/* Reads the bodies that the profile page sends, for most routes below /profile/data. The bodies are
 * JSON: a form on another site cannot send JSON, and a script there would need a preflight request,
 * which is refused here. The router has already identified the member. */
#include "site/profile/profile.h"

#include <string.h>

#include "base/text_hash.h"
#include "base/text_utf8.h"
#include "base/text_visible.h"
#include "installation.h"
#include "json/write.h"
#include "qso/cursor.h"
#include "qso/locator.h"
#include "site/shared/access.h"
#include "site/shared/site_error.h"
#include "store/people/keys.h"
#include "worker/body.h"

#define LIMIT_DEFAULT 50
#define LIMIT_MAX 200

#define NUMBER_SEGMENT 3 /* /profile/data/keys/{number} */

static const struct error *read_body(struct exchange *exchange)
{
    TRY(body_read_object(exchange, &exchange->sent));
    return access_check_again(exchange);
}

const struct error *profile_prepare(struct exchange *exchange)
{
    const struct error *error = exchange->route->method == METHOD_POST ? read_body(exchange) : NULL;
    if (error || !strstr(exchange->route->path, "{number}"))
        return error;
    struct text segment = exchange->request->segments[NUMBER_SEGMENT];
    return text_parse_integer(segment, 1, INT64_MAX, &exchange->number) ? NULL : &error_not_found;
}

const struct error *profile_read_name(struct exchange *exchange, struct text *name)
{
    struct text text = text_trim(json_read_text(exchange->sent, "name"));
    size_t length = text_count_code_points(text);
    if (!text.bytes || length < 1 || length > KEY_NAME_MAX || text_has_control(text))
        return input_refuse(exchange, "name", "must be 1 to 80 characters long");
    *name = text;
    return NULL;
}

const struct error *profile_read_locator(struct exchange *exchange, struct text *locator)
{
    char *normal = arena_allocate(exchange->arena, LOCATOR_LENGTH_MAX);
    struct text text = text_trim(json_read_text(exchange->sent, "locator"));
    if (!text.bytes || !locator_normalise(text, normal))
        return input_refuse(exchange, "locator", "must be a locator of 4 or 6 characters");
    *locator = (struct text){normal, text.length};
    return NULL;
}

const struct error *profile_read_list(struct exchange *exchange, const char *name,
                                      struct text *list)
{
    *list = json_read_text(exchange->sent, name);
    return list->bytes ? NULL : input_refuse(exchange, name, "must be text");
}

const struct error *profile_read_flag(struct exchange *exchange, const char *name, bool *flag)
{
    *flag = json_read_flag(exchange->sent, name);
    return json_has_flag(exchange->sent, name)
               ? NULL
               : input_refuse(exchange, name, "must be true or false");
}

const struct error *profile_read_optional_flag(struct exchange *exchange, const char *name,
                                               bool *flag)
{
    *flag = false;
    return json_has(exchange->sent, name) ? profile_read_flag(exchange, name, flag) : NULL;
}

const struct error *profile_read_limit(struct exchange *exchange, int64_t *limit)
{
    *limit = LIMIT_DEFAULT;
    return input_read_integer(exchange, "limit", 1, LIMIT_MAX, limit);
}

const struct error *profile_read_cursor(struct exchange *exchange, int64_t *first, int64_t *second)
{
    struct text after;
    TRY(input_read_parameter(exchange, "after", &after));
    return !after.bytes || cursor_parse(after, first, second)
               ? NULL
               : input_refuse(exchange, "after", "must be the nextCursor of the previous page");
}

void profile_write_cursor(struct exchange *exchange, bool more, int64_t first, int64_t second)
{
    char cursor[CURSOR_LENGTH];
    cursor_format(first, second, cursor);
    json_write_text(exchange->body, "nextCursor",
                    more ? (struct text){cursor, sizeof cursor} : (struct text){0});
}

bool profile_write_piece(void *context, const char *bytes, size_t length)
{
    struct exchange *exchange = context;
    buffer_append(exchange->body, bytes, length);
    return response_flush(exchange->response);
}

const char *profile_log_tag(struct exchange *exchange)
{
    return profile_log_tag_for(exchange, 0);
}

const char *profile_log_tag_for(struct exchange *exchange, int64_t also)
{
    const struct identity *identity = &exchange->identity;
    const struct text query = exchange->request->query;
    const char *rest = arena_print(
        exchange->arena, "%s %lld %.*s %.*s %.*s", QSOSYNC_VERSION, (long long)also,
        (int)identity->callsign.length, identity->callsign.bytes, (int)identity->locator.length,
        identity->locator.bytes, (int)query.length, query.bytes ? query.bytes : "");
    const uint64_t hash = text_hash(TEXT_HASH_START, rest, strlen(rest));
    return arena_print(exchange->arena, "W/\"%lld-%lld-%lld-%016llx\"",
                       (long long)identity->log_epoch, (long long)identity->member_id,
                       (long long)identity->log_revision, (unsigned long long)hash);
}

const struct error *profile_store_error(enum store_result result)
{
    return result == STORE_NONE       ? &error_not_found
           : result == STORE_DENIED   ? &site_error_no_session
           : result == STORE_NO_GRANT ? &site_error_log_not_granted
           : result == STORE_FULL     ? &site_error_storage_full
           : result == STORE_REFUSED  ? &site_error_too_many
                                      : route_store_error(result);
}
