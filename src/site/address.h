/* The addresses that people type into their programs. */
#ifndef QSOSYNC_SITE_ADDRESS_H
#define QSOSYNC_SITE_ADDRESS_H

#include "http/request.h"

/* The API's address: the operator's setting, or made from the request's own scheme, host and
 * prefix. In the arena; holds nothing but printable ASCII without quotes and angle brackets where
 * it was made from the request. */
const char *address_of_api(const struct request *request);

/* The address for upload programs, in the same folder. */
const char *address_of_uploads(const struct request *request);

#endif
