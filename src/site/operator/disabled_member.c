/* Exports the data of a disabled member, and deletes the member. */
#include "site/operator/operator.h"
#include "site/operator/routes.h"
#include "site/shared/site_error.h"
#include "store/operator_log.h"
#include "store/people/member_deletion.h"
#include "store/people/members.h"
#include "transfer/member_export.h"

/* Sends all data about a disabled member, whose log no longer changes. Operators should read the
 * log only for a good reason, so the export is recorded. The route is therefore a POST. */
static const struct error *answer_export(struct exchange *exchange)
{
    if (exchange->subject.active)
        return &site_error_still_active;
    TRY(profile_store_error(store_record_operator_act(
        exchange->store, "member export", exchange->subject.callsign, (struct text){0})));
    exchange->file_name = "qsosync-everything.json";
    return profile_store_error(member_export_write(exchange->store, &exchange->subject,
                                                   exchange->request->arrived_ms,
                                                   profile_write_piece, exchange));
}

static const struct error *answer_delete(struct exchange *exchange)
{
    TRY(operator_check_other(exchange));
    if (exchange->subject.active)
        return &site_error_still_active;
    struct text typed = text_trim(json_read_text(exchange->sent, "callsign"));
    if (!typed.bytes || !match_same_callsign(typed, exchange->subject.callsign))
        return input_refuse(exchange, "callsign", "must be the member's callsign");
    return operator_store_error(exchange, store_delete_member(exchange->store, exchange->number),
                                &site_error_last_operator);
}

OPERATOR_FILE_ROUTE(operator_export, METHOD_POST, "members/{number}/export", answer_export,
                    .body = &body_small_object);
OPERATOR_ROUTE(operator_delete, METHOD_POST, "members/{number}/delete", 204, answer_delete,
               .body = &body_small_object);
