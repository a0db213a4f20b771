/* The table of request-level errors: a fact about an error stands here and nowhere else.
 *
 * The function that returns an error decides when it applies; response.c decides how it is written.
 */
#include "http/error.h"

#include <stddef.h>

const struct error error_validation_failed = {
    400, "VALIDATION.FAILED",
    .summary =
        "A parameter or the body is not valid; details names each field and what is wrong with it.",
    .field = "updatedSince", .message = "must be an ISO 8601 date-time with a time zone"};
const struct error error_key_invalid = {
    401, "API_KEYS.INVALID",
    .summary = "The API key is missing, unknown or revoked, or its account is no longer active.",
    .header_name = "WWW-Authenticate", .header_value = "Bearer"};
const struct error error_read_only = {
    403, "API_KEYS.READ_ONLY", .summary = "The API key may only read, and this request writes."};
const struct error error_not_found = {404, "GENERIC.NOT_FOUND",
                                      .summary = "There is nothing under this path or clientId."};
const struct error error_method_not_allowed = {
    405, "GENERIC.METHOD_NOT_ALLOWED",
    .summary = "The path exists and does not take this method; Allow names those that it does."};
const struct error error_body_too_large = {
    413, "VALIDATION.FAILED", .summary = "The body is larger than any valid batch.",
    .field = "body", .message = "must be at most 8388608 bytes"};
const struct error error_rate_limited = {
    429, "GENERIC.RATE_LIMITED",
    .summary =
        "Too many requests from this address, or too many long answers to this member at once; "
        "wait as long as Retry-After says.",
    .header_name = "Retry-After"};
/* Not in the table of errors: it is the one above with a time of its own. */
const struct error error_answers_limited = {
    429, "GENERIC.RATE_LIMITED",
    .summary = "Too many long answers to this member, or to all, at once.",
    .header_name = "RateLimit-Reset", .header_value = "10"};
const struct error error_internal = {
    500, "GENERIC.INTERNAL_ERROR",
    .summary = "The server failed. Try again later; Retry-After, if it is there, says after how "
               "many seconds.",
    .header_name = "Retry-After"};
/* Not in the table of errors: clients see no separate error. */
const struct error error_busy = {
    500, "GENERIC.INTERNAL_ERROR",
    .summary = "Another program kept the logbook for longer than a request waits.",
    .header_name = "Retry-After", .header_value = "10"};

const struct error *const errors[] = {
    &error_validation_failed, &error_key_invalid,  &error_read_only, &error_not_found,
    &error_body_too_large,    &error_rate_limited, &error_internal,  NULL,
};

const struct error *error_with_details(struct arena *arena, const struct error *row,
                                       const char *field, const char *message)
{
    struct error *error = arena_allocate(arena, sizeof *error);
    *error = *row;
    error->field = field;
    error->message = message;
    return error;
}

const struct error *error_too_often(struct arena *arena, const char *summary, int64_t wait_seconds)
{
    struct error *error = arena_allocate(arena, sizeof *error);
    *error = error_answers_limited;
    error->summary = summary;
    error->header_value = arena_print(arena, "%lld", (long long)wait_seconds);
    return error;
}
