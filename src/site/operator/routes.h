/* The routes below /operator/data, with their guard: an operator who has recently given the
 * password, a passkey or an invitation. */
#ifndef QSOSYNC_SITE_OPERATOR_ROUTES_H
#define QSOSYNC_SITE_OPERATOR_ROUTES_H

#include "site/operator/operator.h"
#include "site/shared/route_rows.h"

#define OPERATOR_ROUTES(ONE)                                                                       \
    ONE(operator_members)                                                                          \
    ONE(operator_table)                                                                            \
    ONE(operator_add)                                                                              \
    ONE(operator_locator)                                                                          \
    ONE(operator_rename)                                                                           \
    ONE(operator_disable)                                                                          \
    ONE(operator_enable)                                                                           \
    ONE(operator_role)                                                                             \
    ONE(operator_remove_card)                                                                      \
    ONE(operator_export)                                                                           \
    ONE(operator_delete)                                                                           \
    ONE(operator_invite)                                                                           \
    ONE(operator_invitations)                                                                      \
    ONE(operator_devices)                                                                          \
    ONE(operator_sign_out)                                                                         \
    ONE(operator_sign_out_all)                                                                     \
    ONE(operator_history)                                                                          \
    ONE(operator_undo_preview)                                                                     \
    ONE(operator_undo)                                                                             \
    ONE(operator_sign_out_app)                                                                     \
    ONE(operator_switches)                                                                         \
    ONE(operator_club)                                                                             \
    ONE(operator_uploads)                                                                          \
    ONE(operator_me)                                                                               \
    ONE(operator_acts)                                                                             \
    ONE(operator_health)                                                                           \
    ONE(operator_stations)                                                                         \
    ONE(operator_add_station)                                                                      \
    ONE(operator_grant)                                                                            \
    ONE(operator_end_grant)                                                                        \
    ONE(operator_log_page)                                                                         \
    ONE(operator_peers)                                                                            \
    ONE(operator_add_peer)                                                                         \
    ONE(operator_remove_peer)

OPERATOR_ROUTES(ROUTE_DECLARE)
enum { OPERATOR_ROUTES(ROUTE_ENUMERATE) };

/* Define rows of the route table: OPERATOR_ROUTE for an answer with an object or without a body,
 * and OPERATOR_FILE_ROUTE for an answer with a file. */
#define OPERATOR_ROUTE(name, verb, where, success, function, ...)                                  \
    SITE_ROUTE(name, verb, "/operator/data/" where, .access = ACCESS_OPERATOR,                     \
               .use = ROUTE_USE(verb), .status = success,                                          \
               .is_object = (success) == 200 || (success) == 201, .prepare = operator_prepare,     \
               .answer = function, __VA_ARGS__)
#define OPERATOR_FILE_ROUTE(name, verb, where, function, ...)                                      \
    SITE_ROUTE(name, verb, "/operator/data/" where, .access = ACCESS_OPERATOR,                     \
               .use = ROUTE_USE(verb), .status = 200, .prepare = operator_prepare,                 \
               .answer = function, __VA_ARGS__)

#endif
