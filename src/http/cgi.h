/* One request over CGI/1.1 (RFC 3875): variables in the environment, the body on standard input,
 * the response on standard output. */
#ifndef QSOSYNC_HTTP_CGI_H
#define QSOSYNC_HTTP_CGI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/text.h"

/* As the functions of gateway.h. */
const char *cgi_variable(const char *name);
ssize_t cgi_read(void *out, size_t capacity);
bool cgi_write(const struct text *pieces, int count, int64_t wait_ms);

void cgi_answer_at_once(struct text response);

#endif
