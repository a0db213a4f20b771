/* All routes of the site's program. */
#ifndef QSOSYNC_SITE_ROUTES_H
#define QSOSYNC_SITE_ROUTES_H

#include "worker/route.h"

#define SITE_ROUTES(ONE)                                                                           \
    ONE(front_page)                                                                                \
    ONE(health)                                                                                    \
    ONE(security_text)                                                                             \
    ONE(cluster_page)                                                                              \
    ONE(operator_page)                                                                             \
    ONE(docs_page)                                                                                 \
    ONE(members_paper_page)                                                                        \
    ONE(install_paper_page)                                                                        \
    ONE(operators_paper_page)                                                                      \
    ONE(programs_paper_page)                                                                       \
    ONE(design_paper_page)                                                                         \
    ONE(spots)                                                                                     \
    ONE(spots_page)                                                                                \
    ONE(spots_page_of_band)                                                                        \
    ONE(spots_of_band)                                                                             \
    ONE(network_spots)                                                                             \
    ONE(spot_near)                                                                                 \
    ONE(spot_statistics)                                                                           \
    ONE(peer_claims)                                                                               \
    ONE(peer_pair)                                                                                 \
    ONE(upload_auth)                                                                               \
    ONE(upload_station_info)                                                                       \
    ONE(upload_radio)                                                                              \
    ONE(upload_qso)                                                                                \
    ONE(upload_qso_dry)                                                                            \
    ONE(upload_version)                                                                            \
    ONE(upload_check_auth)                                                                         \
    ONE(upload_statistics)                                                                         \
    ONE(upload_contacts)                                                                           \
    ONE(log11dx_qso)                                                                               \
    ONE(log11dx_token)                                                                             \
    ONE(log11dx_dupe)                                                                              \
    ONE(polo_client)                                                                               \
    ONE(polo_accounts)                                                                             \
    ONE(polo_sync)                                                                                 \
    ONE(sign_in_page)                                                                              \
    ONE(sign_in)                                                                                   \
    ONE(sign_in_challenge)                                                                         \
    ONE(sign_in_by_passkey)                                                                        \
    ONE(sign_out)                                                                                  \
    ONE(welcome_page)                                                                              \
    ONE(welcome)                                                                                   \
    ONE(profile_page)                                                                              \
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
    ONE(log_page)                                                                                  \
    ONE(log_worked)                                                                                \
    ONE(log_summary)                                                                               \
    ONE(profile_log_page)                                                                          \
    ONE(operator_stations)                                                                         \
    ONE(operator_add_station)                                                                      \
    ONE(operator_grant)                                                                            \
    ONE(operator_end_grant)                                                                        \
    ONE(operator_log_page)                                                                         \
    ONE(operator_peers)                                                                            \
    ONE(operator_add_peer)                                                                         \
    ONE(operator_remove_peer)                                                                      \
    ONE(profile_me)                                                                                \
    ONE(profile_keys)                                                                              \
    ONE(profile_add_key)                                                                           \
    ONE(profile_revoke_key)                                                                        \
    ONE(profile_tokens)                                                                            \
    ONE(profile_add_token)                                                                         \
    ONE(profile_revoke_token)                                                                      \
    ONE(profile_announcing)                                                                        \
    ONE(profile_claims)                                                                            \
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
    ONE(profile_table)                                                                             \
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
    ONE(profile_prove_by_passkey)                                                                  \
    ONE(profile_devices)                                                                           \
    ONE(profile_end_device)                                                                        \
    ONE(profile_end_devices)                                                                       \
    ONE(profile_adopt_app)                                                                         \
    ONE(profile_revoke_app)                                                                        \
    ONE(profile_link_device)

SITE_ROUTES(ROUTE_DECLARE)
enum { SITE_ROUTES(ROUTE_ENUMERATE) };

/* Routes that read get a snapshot; routes that change something get the store. */
#define ROUTE_USE(verb) ((verb) == METHOD_GET ? USES_SNAPSHOT : USES_STORE)

/* A row. Fields that differ from the defaults follow the path: .status = 200 and so on. */
#define SITE_ROUTE(name, verb, where, ...)                                                         \
    ROUTE(name) = {.method = verb, .path = where, __VA_ARGS__}

/* Rows of public routes: the first for any answer, the second for an object, the third for an
 * answer with an entity tag, such as a page. */
#define PUBLIC_ROUTE(name, verb, where, uses, success, function, ...)                              \
    SITE_ROUTE(name, verb, where, .use = uses, .status = success, .answer = function, __VA_ARGS__)
#define PUBLIC_OBJECT_ROUTE(name, verb, where, uses, function)                                     \
    SITE_ROUTE(name, verb, where, .use = uses, .status = 200, .is_object = true, .answer = function)
#define TAGGED_ROUTE(name, where, uses, function)                                                  \
    SITE_ROUTE(name, METHOD_GET, where, .use = uses, .is_tagged = true, .status = 200,             \
               .answer = function)

#endif
