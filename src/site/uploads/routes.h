/* The routes for programs that upload QSOs with a token. */
#ifndef QSOSYNC_SITE_UPLOADS_ROUTES_H
#define QSOSYNC_SITE_UPLOADS_ROUTES_H

#include "site/shared/route_rows.h"

#define UPLOADS_ROUTES(ONE)                                                                        \
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
    ONE(polo_sync)

UPLOADS_ROUTES(ROUTE_DECLARE)
enum { UPLOADS_ROUTES(ROUTE_ENUMERATE) };

#endif
