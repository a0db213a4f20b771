/* Answers of any length, sent piece by piece while they are made. */
#ifndef QSOSYNC_SITE_STREAM_H
#define QSOSYNC_SITE_STREAM_H

#include "site/route.h"

/* Begins an answer that a browser saves as a file. From now on stream_flush sends the response's
 * body, and empties it, once it is large. */
void stream_begin(struct exchange *exchange, const char *content_type, const char *file_name);

/* False when the client is gone or wants no body. */
bool stream_flush(struct exchange *exchange);

/* Sends the rest. */
void stream_end(struct exchange *exchange);

#endif
