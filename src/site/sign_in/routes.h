/* The routes for signing in and out. */
#ifndef QSOSYNC_SITE_SIGN_IN_ROUTES_H
#define QSOSYNC_SITE_SIGN_IN_ROUTES_H

#include "site/shared/route_rows.h"

#define SIGN_IN_ROUTES(ONE)                                                                        \
    ONE(sign_in_page)                                                                              \
    ONE(sign_in)                                                                                   \
    ONE(sign_in_challenge)                                                                         \
    ONE(sign_in_by_passkey)                                                                        \
    ONE(sign_out)                                                                                  \
    ONE(welcome_page)                                                                              \
    ONE(welcome_look)                                                                              \
    ONE(welcome)

SIGN_IN_ROUTES(ROUTE_DECLARE)
enum { SIGN_IN_ROUTES(ROUTE_ENUMERATE) };

#endif
