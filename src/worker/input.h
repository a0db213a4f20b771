/* Reads parameters from the query of a request, and rejects invalid values. */
#ifndef QSOSYNC_WORKER_INPUT_H
#define QSOSYNC_WORKER_INPUT_H

#include "worker/route.h"

/* Returns an error with status 400 that contains the field and the reason, as text for the
 * client. */
const struct error *input_refuse(struct exchange *exchange, const char *field, const char *message);

/* Reads a parameter of the query. If the query lacks the parameter, *value becomes no text. Returns
 * NULL, or the error for an invalid parameter. */
const struct error *input_read_parameter(struct exchange *exchange, const char *name,
                                         struct text *value);

/* Reads a parameter that is an integer from least to most. If the query lacks the parameter,
 * *number is unchanged. Returns NULL, or the error for an invalid value. */
const struct error *input_read_integer(struct exchange *exchange, const char *name, int64_t least,
                                       int64_t most, int64_t *number);

#endif
