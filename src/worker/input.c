/* Reads query parameters for routes of both programs, and builds the error that names an invalid
 * field in the query or in a body. The routes interpret parameters and bodies. */
#include "worker/input.h"

const struct error *input_refuse(struct exchange *exchange, const char *field, const char *message)
{
    return error_with_details(exchange->arena, &error_validation_failed, field, message);
}

const struct error *input_read_parameter(struct exchange *exchange, const char *name,
                                         struct text *value)
{
    const char *message = request_find_parameter(exchange->request, name, value);
    return message ? input_refuse(exchange, name, message) : NULL;
}

const struct error *input_read_integer(struct exchange *exchange, const char *name, int64_t least,
                                       int64_t most, int64_t *number)
{
    struct text value;
    TRY(input_read_parameter(exchange, name, &value));
    if (!value.bytes || text_parse_integer(value, least, most, number))
        return NULL;
    return input_refuse(exchange, name,
                        arena_print(exchange->arena, "must be an integer from %lld to %lld",
                                    (long long)least, (long long)most));
}
