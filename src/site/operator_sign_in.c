/* How members sign in, as far as an operator cares: invitations, which are shown in the one answer
 * that made them, and the browsers of a member that are signed in. What they do is the store's; an
 * invitation is used at /welcome/. */
#include <string.h>

#include "base/api_key.h"
#include "base/datetime.h"
#include "json/write.h"
#include "site/address.h"
#include "site/operator.h"
#include "site/page.h"
#include "site/session.h"
#include "site/site_error.h"
#include "store/sessions.h"
#include "transfer/export.h"

#define VALID_MS (INVITATION_DAYS * DATETIME_DAY_MS)
#define INVITED_MAX 500
#define DEVICE_SEGMENT 5 /* /operator/data/members/{number}/devices/{device}/sign-out */

/* -- Invitations ------------------------------------------------------------------------------- */

static enum store_result add_invitation(struct exchange *exchange, int64_t member_id, bool is_new,
                                        const char *secret)
{
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    api_key_fingerprint(text_of(secret), fingerprint);
    return is_new
               ? store_invite_new(exchange->store, member_id, fingerprint, VALID_MS)
               : store_add_link(exchange->store, member_id, LINK_INVITATION, fingerprint, VALID_MS);
}

static const char *link_of(struct exchange *exchange, const char *secret)
{
    return arena_print(exchange->arena, "%s/welcome/#%s", address_of_service(exchange), secret);
}

static int64_t expiry_of(const struct exchange *exchange)
{
    return exchange->request->arrived_ms + VALID_MS;
}

static void write_invitation(struct exchange *exchange, const char *secret)
{
    struct buffer *body = &exchange->response->body;
    const char *link = link_of(exchange, secret);
    buffer_append(body, "{", 1);
    json_write_text(body, "link", text_of(link));
    json_write_time(body, "expiresAt", expiry_of(exchange));
    qr_write(body, "qr", link);
    buffer_append(body, "}", 1);
}

static const struct error *check_invited(const struct member *member)
{
    return member->is_station ? &site_error_station : member->active ? NULL : &site_error_disabled;
}

static const struct error *answer_invite(struct exchange *exchange)
{
    char secret[API_KEY_LINK_LENGTH + 1];
    const bool is_new = json_read_flag(exchange->sent, "new");
    const struct error *error = is_new ? operator_check_other(exchange) : NULL;
    if (!error)
        error = check_invited(&exchange->subject);
    if (!error && !api_key_make(API_KEY_LINK, secret))
        error = &error_internal;
    if (error)
        return error;
    error = operator_store_error(
        exchange, add_invitation(exchange, exchange->number, is_new, secret), &error_internal);
    if (!error)
        write_invitation(exchange, secret);
    explicit_bzero(secret, sizeof secret);
    return error;
}

/* -- Many at once ------------------------------------------------------------------------------ */

struct batch {
    struct exchange *exchange;
    struct buffer table;
    int64_t count;
};

static const struct error *find_invited(struct exchange *exchange, struct text line,
                                        struct member *member)
{
    enum store_result result =
        store_find_member(exchange->store, exchange->arena, text_trim(line), member);
    return result == STORE_DONE ? check_invited(member) : profile_store_error(result);
}

static const struct error *invite_one(struct batch *batch, struct text line)
{
    struct exchange *exchange = batch->exchange;
    struct buffer *body = &exchange->response->body;
    char secret[API_KEY_LINK_LENGTH + 1];
    struct member member;
    const struct error *error = find_invited(exchange, line, &member);
    if (!error && batch->count++ == INVITED_MAX)
        error = profile_refuse(exchange, "list", "must have at most 500 callsigns");
    if (!error && !api_key_make(API_KEY_LINK, secret))
        error = &error_internal;
    if (!error)
        error = operator_store_error(exchange, add_invitation(exchange, member.id, false, secret),
                                     &error_internal);
    if (error)
        return error;
    struct text link = text_of(link_of(exchange, secret));
    explicit_bzero(secret, sizeof secret);
    json_begin_item(body);
    json_write_text(body, "callsign", member.callsign);
    json_write_text(body, "link", link);
    buffer_append(body, "}", 1);
    csv_append_cell(&batch->table, member.callsign);
    buffer_append(&batch->table, ",", 1);
    csv_append_cell(&batch->table, link);
    buffer_append_string(&batch->table, "\r\n");
    return NULL;
}

/* A callsign a line. The first that cannot be invited ends it: those before have invitations that
 * nobody has seen, which the next ones replace. */
static const struct error *invite_lines(struct batch *batch, struct text list)
{
    const struct error *error = NULL;
    while (list.length > 0 && !error) {
        struct text line = text_take_part(&list, '\n');
        if (text_trim(line).length > 0)
            error = invite_one(batch, line);
    }
    return error;
}

static const struct error *answer_invitations(struct exchange *exchange)
{
    struct buffer *out = &exchange->response->body;
    struct batch batch = {.exchange = exchange};
    struct text list;
    const struct error *error = profile_read_list(exchange, "list", &list);
    if (error)
        return error;
    buffer_append_string(out, "{\"items\":[");
    buffer_append_string(&batch.table, "callsign,link\r\n");
    error = invite_lines(&batch, list);
    buffer_append(out, "]", 1);
    json_write_time(out, "expiresAt", expiry_of(exchange));
    json_write_text(out, "csv", (struct text){batch.table.bytes, batch.table.length});
    buffer_append(out, "}", 1);
    explicit_bzero(batch.table.bytes, batch.table.length);
    buffer_free(&batch.table);
    return error;
}

/* -- Browsers ---------------------------------------------------------------------------------- */

static const struct error *answer_devices(struct exchange *exchange)
{
    buffer_append(&exchange->response->body, "{", 1);
    const struct error *error =
        profile_store_error(session_write_items(exchange, exchange->number));
    buffer_append(&exchange->response->body, "}", 1);
    return error;
}

static const struct error *answer_sign_out(struct exchange *exchange)
{
    int64_t number;
    if (!text_parse_integer(exchange->request->segments[DEVICE_SEGMENT], 1, INT64_MAX, &number))
        return &error_not_found;
    return operator_store_error(
        exchange, store_end_session(exchange->store, exchange->number, number), &error_internal);
}

static const struct error *answer_sign_out_all(struct exchange *exchange)
{
    const struct identity *own = &exchange->identity;
    const int64_t kept = exchange->number == own->member_id ? own->key_number : 0;
    return operator_store_error(
        exchange, store_end_sessions(exchange->store, exchange->number, kept), &error_internal);
}

OPERATOR_ROUTE(operator_invite, METHOD_POST, "members/{number}/invite", 200, answer_invite);
OPERATOR_ROUTE(operator_invitations, METHOD_POST, "invitations", 200, answer_invitations);
OPERATOR_ROUTE(operator_devices, METHOD_GET, "members/{number}/devices", 200, answer_devices);
OPERATOR_ROUTE(operator_sign_out, METHOD_POST, "members/{number}/devices/{device}/sign-out", 204,
               answer_sign_out);
OPERATOR_ROUTE(operator_sign_out_all, METHOD_POST, "members/{number}/sign-out", 204,
               answer_sign_out_all);
