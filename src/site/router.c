/* Walks the route table. The order of the checks: request limit, path, method, access;
 * parameters and resources are the route's own. What a route has filled in is sent here and nowhere
 * else. */
#include "site/router.h"

#include "base/datetime.h"
#include "http/entity_tag.h"
#include "site/login.h"
#include "site/route.h"
#include "site/uploads.h"
#include "store/keys.h"
#include "store/logbook.h"
#include "store/transaction.h"
#include "worker/path_table.h"

static const struct route *const routes[] = {
    &route_front_page,
    &route_health,
    &route_spots,
    &route_spots_page,
    &route_spots_page_of_band,
    &route_spots_of_band,
    &route_spot_near,
    &route_spot_statistics,
    &route_upload_auth,
    &route_upload_station_info,
    &route_upload_radio,
    &route_upload_qso,
    &route_upload_qso_dry,
    &route_profile_me,
    &route_profile_keys,
    &route_profile_add_key,
    &route_profile_revoke_key,
    &route_profile_tokens,
    &route_profile_add_token,
    &route_profile_revoke_token,
    &route_profile_qsos,
    &route_profile_near_matches,
    &route_profile_statistics,
    &route_profile_map,
    &route_profile_export,
    &route_profile_everything,
    &route_profile_import,
    &route_profile_delete_log,
    &route_profile_password,
};
#define ROUTE_COUNT (int)(sizeof routes / sizeof *routes)

static bool describe_row(int index, enum method *method, const char **path)
{
    if (index >= ROUTE_COUNT)
        return false;
    *method = routes[index]->method;
    *path = routes[index]->path;
    return true;
}

/* The member of the login may be disabled between the start of the request and its write. */
static const struct error *identify_member(struct exchange *exchange)
{
    const struct member *member = &exchange->member;
    const struct error *error =
        login_identify(exchange->request, exchange->store, &exchange->member);
    if (error)
        return error;
    exchange->identity = (struct identity){.credential = CREDENTIAL_LOGIN,
                                           .member_id = member->id,
                                           .callsign = member->callsign,
                                           .locator = member->locator,
                                           .login = member->login};
    exchange->response->member_id = member->id;
    store_write_as(exchange->store, exchange->arena, &exchange->identity);
    return NULL;
}

/* Checks whether the request may use the route. */
static const struct error *check_access(struct exchange *exchange)
{
    bool on = false;
    switch (exchange->route->access) {
    case ACCESS_PUBLIC:
        break;
    case ACCESS_UPLOADS:
        if (store_read_uploads(exchange->store, &on) != STORE_DONE)
            return &error_internal;
        return on ? NULL : &error_not_found;
    case ACCESS_MEMBER:
        return identify_member(exchange);
    }
    return NULL;
}

/* The login and the log are read in one snapshot. */
static const struct error *answer_from_snapshot(struct exchange *exchange)
{
    int64_t now_ms = exchange->request->arrived_ms;
    if (!exchange->store || store_begin_read(exchange->store, &now_ms) != STORE_DONE)
        return &error_internal;
    const struct error *error = check_access(exchange);
    if (!error && exchange->route->use == ROUTE_USES_SNAPSHOT)
        error = exchange->route->answer(exchange);
    store_end_read(exchange->store);
    return error;
}

static const struct error *answer(struct exchange *exchange)
{
    const struct route *route = exchange->route;
    const struct error *error = NULL;
    exchange->status = route->status;
    if (route->access == ACCESS_MEMBER && route->method != METHOD_GET)
        error = login_check_origin(exchange->request);
    if (!error && (route->access != ACCESS_PUBLIC || route->use == ROUTE_USES_SNAPSHOT))
        error = answer_from_snapshot(exchange);
    if (!error && route->use != ROUTE_USES_SNAPSHOT)
        error = route->answer(exchange);
    return error ? error : response_complete(exchange->response);
}

static const struct error *dispatch(struct exchange *exchange)
{
    char allow[PATH_TABLE_ALLOW_BYTES];
    uploads_simplify_path(exchange->request);
    int row = path_table_find(describe_row, exchange->request, allow);
    if (row == PATH_TABLE_UNKNOWN)
        return &error_not_found;
    if (row == PATH_TABLE_OTHER_METHOD)
        response_add_header(exchange->response, "Allow", allow);
    else
        exchange->route = routes[row];
    if (exchange->request->method == METHOD_OPTIONS)
        return NULL;
    return exchange->route ? answer(exchange) : &error_method_not_allowed;
}

/* The entity tag saves only the sending: the body is small and cheap to make. */
static bool is_unchanged(struct exchange *exchange)
{
    const struct buffer *body = &exchange->response->body;
    if (!exchange->route->is_tagged)
        return false;
    const char *tag =
        arena_print(exchange->arena, "W/\"%016llx\"",
                    (unsigned long long)text_hash(TEXT_HASH_START, body->bytes, body->length));
    response_add_header(exchange->response, "ETag", tag);
    return entity_tag_matches(exchange->request->if_none_match, tag);
}

static void send(struct exchange *exchange, const struct error *error)
{
    struct response *response = exchange->response;
    response_add_header(response, "Cache-Control",
                        !error && exchange->route && exchange->route->is_tagged ? "no-cache"
                                                                                : "no-store");
    if (!error && exchange->file_name)
        response_add_header(
            response, "Content-Disposition",
            arena_print(exchange->arena, "attachment; filename=\"%s\"", exchange->file_name));
    if (error)
        worker_send_error(response, error);
    else if (!exchange->route)
        response_send(response, 204); /* OPTIONS */
    else
        response_send(response, is_unchanged(exchange) ? 304 : exchange->status);
}

void router_serve(struct worker *worker, struct request *request, bool is_refused)
{
    struct exchange exchange = {.request = request,
                                .response = &worker->response,
                                .arena = &worker->arena,
                                .store = worker->store};
    const struct error *error = is_refused ? &error_rate_limited : dispatch(&exchange);
    send(&exchange, worker_explain_error(worker, error));
    if (worker->store)
        store_write_as(worker->store, NULL, NULL);
    if (exchange.token_number)
        store_note_token_use(worker->store, exchange.token_number,
                             request->arrived_ms / DATETIME_DAY_MS);
}
