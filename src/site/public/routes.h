/* The routes for strangers: the front page, the spots, the papers, a station's page, and other
 * clubs. */
#ifndef QSOSYNC_SITE_PUBLIC_ROUTES_H
#define QSOSYNC_SITE_PUBLIC_ROUTES_H

#include "site/shared/route_rows.h"

#define PUBLIC_ROUTES(ONE)                                                                         \
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
    ONE(cloudlog_paper_page)                                                                       \
    ONE(log11dx_paper_page)                                                                        \
    ONE(polo_paper_page)                                                                           \
    ONE(wsjtx_paper_page)                                                                          \
    ONE(adif_manual_page)                                                                          \
    ONE(api_manual_page)                                                                           \
    ONE(clients_manual_page)                                                                       \
    ONE(kit_file)                                                                                  \
    ONE(docs_sandbox)                                                                              \
    ONE(spots)                                                                                     \
    ONE(spots_page)                                                                                \
    ONE(spots_page_of_band)                                                                        \
    ONE(spots_of_band)                                                                             \
    ONE(network_spots)                                                                             \
    ONE(spot_near)                                                                                 \
    ONE(spot_statistics)                                                                           \
    ONE(peer_claims)                                                                               \
    ONE(peer_pair)                                                                                 \
    ONE(log_page)                                                                                  \
    ONE(log_worked)                                                                                \
    ONE(log_summary)

PUBLIC_ROUTES(ROUTE_DECLARE)
enum { PUBLIC_ROUTES(ROUTE_ENUMERATE) };

#endif
