/* Errors that apply to a whole request to the site, in addition to the errors in http/error.h: the
 * rows of schema/site_errors.tsv. */
#ifndef QSOSYNC_SITE_SITE_ERROR_H
#define QSOSYNC_SITE_SITE_ERROR_H

#include "http/error.h"

#define ROW(name, ...) extern const struct error site_error_##name;
#include "schema/site_errors.inc"
#undef ROW

#endif
