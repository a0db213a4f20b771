/* Request-level errors of the profile, like those of http/error.h. */
#ifndef QSOSYNC_SITE_SITE_ERROR_H
#define QSOSYNC_SITE_SITE_ERROR_H

#include "http/error.h"

extern const struct error site_error_no_login;
extern const struct error site_error_no_member;
extern const struct error site_error_cross_site;
extern const struct error site_error_too_many;

#endif
