/* Contains the errors that apply to a whole request. All facts about an error are in
 * schema/errors.tsv.
 *
 * The function that returns an error decides when the error applies; response.c writes the
 * error. */
#include "http/error.h"

/* The sentence is used only in the API description. */
#define ROW(name, status, code, sentence, ...)                                                     \
    const struct error error_##name = {status, code, __VA_ARGS__};
#include "schema/errors.inc"
#undef ROW

const struct error *error_with_details(struct arena *arena, const struct error *row,
                                       const char *field, const char *message)
{
    struct error *error = arena_allocate(arena, sizeof *error);
    *error = *row;
    error->field = field;
    error->message = message;
    return error;
}

const struct error *error_too_often(struct arena *arena, int64_t wait_seconds)
{
    struct error *error = arena_allocate(arena, sizeof *error);
    *error = error_answers_limited;
    error->header_value = arena_print(arena, "%lld", (long long)wait_seconds);
    return error;
}
