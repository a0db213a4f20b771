/* How routes read the query of a request, and reject invalid values in it. */
#ifndef QSOSYNC_WORKER_INPUT_H
#define QSOSYNC_WORKER_INPUT_H

#include "worker/route.h"

/* 400 with the field and the reason, in words for the client. */
const struct error *input_refuse(struct exchange *exchange, const char *field, const char *message);

/* A parameter of the query; no text: it is not there. */
const struct error *input_read_parameter(struct exchange *exchange, const char *name,
                                         struct text *value);

/* A parameter that is an integer from least to most; without one *number stays as it is. */
const struct error *input_read_integer(struct exchange *exchange, const char *name, int64_t least,
                                       int64_t most, int64_t *number);

#endif
