/* Errors that apply to a whole request (API section 7.1): one row contains all facts about an
 * error.
 *
 * A function that can refuse a request returns a pointer to a row, or to a copy with
 * details of the fault. NULL means that the request is accepted. */
#ifndef QSOSYNC_HTTP_ERROR_H
#define QSOSYNC_HTTP_ERROR_H

#include <stdint.h>

#include "base/arena.h"

struct error {
    int status;       /* the HTTP status */
    const char *code; /* a stable code, which is never translated */
    /* header in every answer with this error; NULL: no header */
    const char *header_name;
    const char *header_value; /* NULL: the router or the front server adds the header */
    /* The wrong parameter or part of the body, and the reason. In the table, both are an example
     * for the API description. Both are NULL in an error without details. */
    const char *field;
    const char *message;
};

#define ROW(name, ...) extern const struct error error_##name;
#include "schema/errors.inc"
#undef ROW

/* If the step fails, the function that contains TRY returns the step's error. Use TRY only while no
 * resource is held. */
#define TRY(step)                                                                                  \
    do {                                                                                           \
        const struct error *error_of_step = (step);                                                \
        if (error_of_step)                                                                         \
            return error_of_step;                                                                  \
    } while (0)

/* Returns a copy of the row with the field and the message, in the arena. Both texts must stay
 * valid until the response is sent. */
const struct error *error_with_details(struct arena *arena, const struct error *row,
                                       const char *field, const char *message);

/* Returns a copy of error 429 in the arena, with the time to wait in seconds. */
const struct error *error_too_often(struct arena *arena, int64_t wait_seconds);

#endif
