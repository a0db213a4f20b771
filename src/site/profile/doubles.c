/* /profile/data/doubles: lists pairs of possible duplicates in a log, merges a pair, or marks its
 * QSOs as different. src/transfer/doubles_list.c finds the pairs. */
#include "json/write.h"
#include "json/write_object.h"
#include "qso/render.h"
#include "site/profile/profile.h"
#include "site/profile/routes.h"
#include "site/shared/site_error.h"
#include "transfer/doubles.h"

static void write_side(struct buffer *body, const char *name, const struct qso *qso)
{
    json_write_name(body, name);
    render_qso(qso, body);
}

static void write_pair(void *context, const struct doubles_pair *pair)
{
    struct buffer *body = context;
    json_begin_item(body);
    write_side(body, "older", pair->older);
    write_side(body, "newer", pair->newer);
    write_side(body, "merged", pair->merged);
    buffer_append(body, "}", 1);
}

/* Answers with the pairs in a part of the log. The cursor contains the beginning of the next part.
 */
static const struct error *answer_doubles(struct exchange *exchange)
{
    int64_t below = 2 * DOUBLES_BEGIN, unused = 0;
    bool has_more = false;
    TRY(profile_read_cursor(exchange, &below, &unused));
    below -= DOUBLES_BEGIN;
    json_begin_array(exchange->body, "items");
    enum store_result result = doubles_list(exchange->store, exchange->member.id, &below, &has_more,
                                            write_pair, exchange->body);
    buffer_append(exchange->body, "]", 1);
    profile_write_cursor(exchange, has_more, below + DOUBLES_BEGIN, 0);
    return profile_store_error(result);
}

static const struct error *read_id(struct exchange *exchange, const char *name, int64_t *id)
{
    if (text_parse_integer(json_read_text(exchange->sent, name), 1, INT64_MAX, id))
        return NULL;
    return input_refuse(exchange, name, "must be the id of a QSO");
}

static const struct error *read_pair(struct exchange *exchange, int64_t *one, int64_t *other)
{
    TRY(read_id(exchange, "one", one));
    return read_id(exchange, "other", other);
}

static const struct error *answer_merge(struct exchange *exchange)
{
    int64_t one, other;
    struct transaction transaction;
    struct doubles_merged merged;
    TRY(read_pair(exchange, &one, &other));
    TRY(profile_store_error(store_begin_write(exchange->store, &transaction)));
    enum store_result result = store_finish(
        &transaction, doubles_merge(&transaction, &exchange->identity, one, other, &merged));
    if (result == STORE_CONFLICT)
        return &site_error_no_doubles;
    TRY(profile_store_error(result));
    json_write_fields(exchange->body, json_number("kept", merged.kept),
                      json_number("deleted", merged.deleted),
                      json_number_or_null("act", merged.act));
    return NULL;
}

static const struct error *answer_apart(struct exchange *exchange)
{
    int64_t one, other;
    bool are_apart;
    struct transaction transaction;
    TRY(read_pair(exchange, &one, &other));
    TRY(profile_read_flag(exchange, "apart", &are_apart));
    TRY(profile_store_error(store_begin_write(exchange->store, &transaction)));
    enum store_result result = store_finish(
        &transaction, doubles_set_apart(&transaction, &exchange->identity, one, other, are_apart));
    return result == STORE_CONFLICT ? &site_error_no_doubles : profile_store_error(result);
}

PROFILE_ROUTE_OF_LOG(profile_doubles, METHOD_GET, "doubles", 200, answer_doubles);
PROFILE_ROUTE_OF_LOG(profile_merge, METHOD_POST, "doubles/merge", 200, answer_merge,
                     .body = &body_small_object);
PROFILE_ROUTE_OF_LOG(profile_apart, METHOD_POST, "doubles/apart", 204, answer_apart,
                     .body = &body_small_object);
