/* Content codings (RFC 9110, sections 8.4 and 12.5.3): answers that leave the worker compressed. */
#ifndef QSOSYNC_HTTP_COMPRESSION_H
#define QSOSYNC_HTTP_COMPRESSION_H

#include <stdbool.h>

#include "http/response.h"

/* Loads the library. Where it is missing, or this is never called, nothing is compressed here. */
void compression_load(void);

/* True if the value of an Accept-Encoding header (NULL: none) names gzip, with no less weight than
 * no coding at all. "*" counts where it does not mean "none" as well. What cannot be understood is
 * no wish for gzip. */
bool compression_is_accepted(const char *accept_encoding);

/* Replaces a finished body by its gzip form (RFC 1952). False for a small body and for one that
 * would not get smaller, which stay as they are: the front server may compress them. */
bool compression_apply(struct buffer *body);

/* Adds the headers that say that the body is compressed. */
void compression_add_headers(struct response *response);

#endif
