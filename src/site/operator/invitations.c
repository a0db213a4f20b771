/* Invites one member, or the members in a list, to sign in. An invitation appears only in the
 * answer that created it, and is used at /welcome/. */
#include <string.h>

#include "base/datetime.h"
#include "json/write.h"
#include "json/write_object.h"
#include "site/operator/operator.h"
#include "site/operator/routes.h"
#include "site/shared/address.h"
#include "site/shared/qr.h"
#include "site/shared/site_error.h"
#include "store/people/links.h"
#include "store/people/sessions.h"
#include "transfer/csv.h"
#include "transfer/export.h"

#define VALID_MS (INVITATION_DAYS * DATETIME_DAY_MS)
#define INVITED_MAX 500

static const struct error *invite(struct exchange *exchange, const struct member *member,
                                  bool is_new, const char **link)
{
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    if (member->is_station)
        return &site_error_station;
    if (!member->active)
        return &site_error_disabled;
    *link = address_make_link(exchange, fingerprint);
    return operator_store_error(
        exchange,
        is_new
            ? store_invite_new(exchange->store, member->id, fingerprint, VALID_MS)
            : store_add_link(exchange->store, member->id, LINK_INVITATION, fingerprint, VALID_MS),
        &error_internal);
}

static const struct error *answer_invite(struct exchange *exchange)
{
    const bool is_new = json_read_flag(exchange->sent, "new");
    const char *link;
    TRY(is_new ? operator_check_other(exchange) : NULL);
    TRY(invite(exchange, &exchange->subject, is_new, &link));
    json_write_fields(exchange->body, json_text("link", text_of(link)),
                      json_time("expiresAt", exchange->request->arrived_ms + VALID_MS));
    qr_write(exchange->body, "qr", link);
    return NULL;
}

struct batch {
    struct exchange *exchange;
    struct buffer table;
    int64_t count;
};

static const struct error *invite_one(struct batch *batch, struct text callsign)
{
    struct exchange *exchange = batch->exchange;
    struct member member;
    const char *link;
    TRY(profile_store_error(
        store_find_member(exchange->store, exchange->arena, callsign, &member)));
    if (batch->count++ == INVITED_MAX)
        return input_refuse(exchange, "list", "must contain at most 500 callsigns");
    TRY(invite(exchange, &member, false, &link));
    json_write_item(exchange->body, json_text("callsign", member.callsign),
                    json_text("link", text_of(link)));
    csv_append_cell(&batch->table, member.callsign);
    csv_append_cell(&batch->table, text_of(link));
    buffer_append_string(&batch->table, "\r\n");
    return NULL;
}

/* Invites the members in a list with one callsign per line. Stops at the first callsign that cannot
 * be invited, and answers with an error. The invitations that were created before the error are
 * never shown; the members' next invitations replace them. */
static const struct error *answer_invitations(struct exchange *exchange)
{
    struct buffer *out = exchange->body;
    struct batch batch = {.exchange = exchange};
    const struct error *error = NULL;
    struct text list;
    TRY(profile_read_list(exchange, "list", &list));
    json_begin_array(out, "items");
    buffer_append_string(&batch.table, "callsign,link\r\n");
    while (!error && list.length > 0) {
        struct text callsign = text_trim(text_split_next(&list, '\n'));
        error = callsign.length > 0 ? invite_one(&batch, callsign) : NULL;
    }
    buffer_append(out, "]", 1);
    json_write_fields(out, json_time("expiresAt", exchange->request->arrived_ms + VALID_MS),
                      json_text("csv", (struct text){batch.table.bytes, batch.table.length}));
    explicit_bzero(batch.table.bytes, batch.table.length);
    buffer_free(&batch.table);
    return error;
}

OPERATOR_ROUTE(operator_invite, METHOD_POST, "members/{number}/invite", 200, answer_invite,
               .body = &body_small_object);
OPERATOR_ROUTE(operator_invitations, METHOD_POST, "invitations", 200, answer_invitations,
               .body = &body_small_object);
