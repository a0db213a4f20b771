/* Devices on which members have signed in before. */
#ifndef QSOSYNC_SITE_DEVICE_COOKIE_H
#define QSOSYNC_SITE_DEVICE_COOKIE_H

#include "worker/route.h"

/* Adds the request's session cookie to the browser's list of cookies from ended sessions, and makes
 * the browser empty its cache. Call this function when the answer ends or replaces the session.
 * member_id is the session's member, whose earlier cookie leaves the list; 0: unknown. */
void device_cookie_remember(struct exchange *exchange, int64_t member_id);

/* Removes the session's cookie from the browser, and adds it to the list as device_cookie_remember
 * does. */
void device_cookie_end_session(struct exchange *exchange, int64_t member_id);

/* Returns the cookie of this member's current or earlier session in this browser. Returns no text
 * if the browser has no such cookie. */
struct text device_cookie_find(struct exchange *exchange, int64_t member_id);

#endif
