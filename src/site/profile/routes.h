/* The routes below /profile, with their guard: a signed-in member. */
#ifndef QSOSYNC_SITE_PROFILE_ROUTES_H
#define QSOSYNC_SITE_PROFILE_ROUTES_H

#include "site/profile/profile.h"
#include "site/shared/route_rows.h"

#define PROFILE_ROUTES(ONE)                                                                        \
    ONE(profile_page)                                                                              \
    ONE(profile_log_page)                                                                          \
    ONE(profile_me)                                                                                \
    ONE(profile_keys)                                                                              \
    ONE(profile_add_key)                                                                           \
    ONE(profile_revoke_key)                                                                        \
    ONE(profile_tokens)                                                                            \
    ONE(profile_add_token)                                                                         \
    ONE(profile_revoke_token)                                                                      \
    ONE(profile_announcing)                                                                        \
    ONE(profile_claims)                                                                            \
    ONE(profile_channel_plan)                                                                      \
    ONE(profile_locator)                                                                           \
    ONE(profile_feed_code)                                                                         \
    ONE(profile_qsos)                                                                              \
    ONE(profile_save_qsos)                                                                         \
    ONE(profile_delete_qso)                                                                        \
    ONE(profile_near_matches)                                                                      \
    ONE(profile_doubles)                                                                           \
    ONE(profile_merge)                                                                             \
    ONE(profile_apart)                                                                             \
    ONE(profile_revision)                                                                          \
    ONE(profile_statistics)                                                                        \
    ONE(profile_history)                                                                           \
    ONE(profile_act)                                                                               \
    ONE(profile_qso_history)                                                                       \
    ONE(profile_deleted)                                                                           \
    ONE(profile_undo_preview)                                                                      \
    ONE(profile_undo)                                                                              \
    ONE(profile_map)                                                                               \
    ONE(profile_awards_table)                                                                      \
    ONE(profile_awards)                                                                            \
    ONE(profile_worked)                                                                            \
    ONE(profile_export)                                                                            \
    ONE(profile_adx)                                                                               \
    ONE(profile_table)                                                                             \
    ONE(profile_workbook)                                                                          \
    ONE(profile_everything)                                                                        \
    ONE(profile_import)                                                                            \
    ONE(profile_delete_log)                                                                        \
    ONE(profile_card)                                                                              \
    ONE(profile_set_card)                                                                          \
    ONE(profile_picture)                                                                           \
    ONE(profile_set_picture)                                                                       \
    ONE(profile_remove_picture)                                                                    \
    ONE(profile_cards)                                                                             \
    ONE(profile_found_card)                                                                        \
    ONE(profile_partner_picture)                                                                   \
    ONE(profile_password)                                                                          \
    ONE(profile_prove)                                                                             \
    ONE(profile_passkeys)                                                                          \
    ONE(profile_new_passkey)                                                                       \
    ONE(profile_passkey_challenge)                                                                 \
    ONE(profile_add_passkey)                                                                       \
    ONE(profile_remove_passkey)                                                                    \
    ONE(profile_rename_passkey)                                                                    \
    ONE(profile_prove_by_passkey)                                                                  \
    ONE(profile_devices)                                                                           \
    ONE(profile_end_device)                                                                        \
    ONE(profile_end_devices)                                                                       \
    ONE(profile_adopt_app)                                                                         \
    ONE(profile_revoke_app)                                                                        \
    ONE(profile_alerts)                                                                            \
    ONE(profile_add_alert)                                                                         \
    ONE(profile_alert)                                                                             \
    ONE(profile_switch_alert)                                                                      \
    ONE(profile_remove_alert)                                                                      \
    ONE(profile_try_alert)                                                                         \
    ONE(profile_alert_settings)                                                                    \
    ONE(profile_mute_station)                                                                      \
    ONE(profile_unmute_station)                                                                    \
    ONE(profile_add_way)                                                                           \
    ONE(profile_remove_way)                                                                        \
    ONE(profile_try_way)                                                                           \
    ONE(profile_push_key)                                                                          \
    ONE(profile_push)                                                                              \
    ONE(profile_link_device)

PROFILE_ROUTES(ROUTE_DECLARE)
enum { PROFILE_ROUTES(ROUTE_ENUMERATE) };

/* Define rows of the route table for an answer with an object, or without a body.
 * PROFILE_ROUTE_OF_LOG is for a log, the member's own or a station's; PROFILE_ROUTE is for personal
 * data, such as a password. */
#define PROFILE_ROUTE_OF_LOG(name, verb, where, success, function, ...)                            \
    PROFILE_ROUTE_FOR(ACCESS_LOG, name, verb, where, success, function, __VA_ARGS__)
#define PROFILE_ROUTE(name, verb, where, success, function, ...)                                   \
    PROFILE_ROUTE_FOR(ACCESS_MEMBER, name, verb, where, success, function, __VA_ARGS__)
#define PROFILE_ROUTE_FOR(who, name, verb, where, success, function, ...)                          \
    SITE_ROUTE(name, verb, "/profile/data/" where, .access = who, .use = ROUTE_USE(verb),          \
               .status = success, .is_object = (success) == 200 || (success) == 201,               \
               .prepare = profile_prepare, .answer = function, __VA_ARGS__)

/* Defines a route that answers with a file, or with a stored text. */
#define PROFILE_FILE_ROUTE(who, name, where, uses, function)                                       \
    SITE_ROUTE(name, METHOD_GET, "/profile/data/" where, .access = who, .use = uses,               \
               .status = 200, .prepare = profile_prepare, .answer = function)

/* Defines a route about a log. A browser keeps the answer, and revalidates it before each use. */
#define PROFILE_PRIVATE_ROUTE(name, where, function)                                               \
    SITE_ROUTE(name, METHOD_GET, "/profile/data/" where, .access = ACCESS_LOG,                     \
               .use = USES_SNAPSHOT, .status = 200, .is_tagged = true, .is_kept_privately = true,  \
               .prepare = profile_prepare, .answer = function)

/* Defines a route whose answer is computed from a whole log. A browser keeps the answer, and its
 * tag is compared before anything is computed. */
#define PROFILE_LOG_ROUTE(name, where, tag, function)                                              \
    SITE_ROUTE(name, METHOD_GET, "/profile/data/" where, .access = ACCESS_LOG,                     \
               .use = USES_SNAPSHOT, .status = 200, .is_object = true, .is_kept_privately = true,  \
               .entity_tag = tag, .answer = function)

#endif
