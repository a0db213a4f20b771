/* Request-level errors (API section 7.1): one row contains all facts about an error.
 *
 * A function that can refuse a request returns a pointer to a row, or to its copy with the wrong
 * field and the reason. NULL means accepted. */
#ifndef QSOSYNC_HTTP_ERROR_H
#define QSOSYNC_HTTP_ERROR_H

#include <stdint.h>

#include "base/arena.h"

struct error {
    int status;       /* HTTP status */
    const char *code; /* stable, never translated */
    /* A header that accompanies every answer of this kind; NULL: none. */
    const char *header_name;
    const char *header_value; /* NULL: the front server adds the header */
    /* The wrong parameter or part of the body, and the reason. In the table, an example for the API
     * description. Both are NULL in an error without details. */
    const char *field;
    const char *message;
};

#define ROW(name, ...) extern const struct error error_##name;
#include "schema/errors.inc"
#undef ROW

/* Returns the error of a step, if any, from the function; use it only while no resource is held. */
#define TRY(step)                                                                                  \
    do {                                                                                           \
        const struct error *error_of_step = (step);                                                \
        if (error_of_step)                                                                         \
            return error_of_step;                                                                  \
    } while (0)

/* Returns a copy of the row in the arena, with the field and the message. Both texts must stay
 * valid until the response is sent. */
const struct error *error_with_details(struct arena *arena, const struct error *row,
                                       const char *field, const char *message);

/* Returns 429 for too frequent requests, in the arena. */
const struct error *error_too_often(struct arena *arena, int64_t wait_seconds);

#endif
