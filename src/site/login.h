/* Who sends a request below /profile: the front server's login becomes a member. */
#ifndef QSOSYNC_SITE_LOGIN_H
#define QSOSYNC_SITE_LOGIN_H

#include "http/error.h"
#include "http/request.h"
#include "store/members.h"

/* NULL: *member is filled. Otherwise the error to answer with: nobody is logged in, or nobody who
 * is an active member. */
const struct error *login_identify(const struct request *request, struct store *store,
                                   struct member *member);

/* NULL where the request comes from a page of this site, by the headers that browsers send. Needed
 * because browsers send the login with requests of any page. */
const struct error *login_check_origin(const struct request *request);

#endif
