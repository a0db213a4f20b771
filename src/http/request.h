/* Converts the front server's raw variables into one checked struct. */
#ifndef QSOSYNC_HTTP_REQUEST_H
#define QSOSYNC_HTTP_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "http/error.h"
#include "base/text.h"
#include "http/gateway.h"

enum method {
    METHOD_OTHER,
    METHOD_GET,
    METHOD_HEAD,
    METHOD_POST,
    METHOD_PUT,
    METHOD_DELETE,
    METHOD_OPTIONS,
};

#define REQUEST_SEGMENTS_MAX 8           /* more segments than any endpoint's path has */
#define REQUEST_BODY_MAX_BYTES (8 << 20) /* more bytes than any route accepts */

/* The beginning of the program's own part of a path. Any prefix can precede this part. */
struct request_root {
    const char *after[2];  /* the part begins after these two segments of the base path */
    const char *const *at; /* if not NULL, the part begins at the first segment in this list */
};

struct request {
    struct gateway *gateway;
    struct arena *arena;
    int64_t arrived_ms; /* time of arrival from clock_wall_ms, rounded down */
    int64_t arrived_monotonic_ms;
    enum method method;
    bool has_endpoint_path; /* whether the path contains the program's root */
    struct text base_path; /* as sent, such as /api/v1; the whole path if the path lacks the root */
    size_t segment_count;  /* segments after the base path; REQUEST_SEGMENTS_MAX + 1: too many */
    struct text segments[REQUEST_SEGMENTS_MAX]; /* percent-decoded */
    struct text query;                          /* as sent, without the question mark */
    const char *remote_address;                 /* NULL: unknown */
    /* the API key that the client presented; no text: no key */
    struct text key;
    const char *if_none_match;
    char *body; /* the part of the body read so far */
    size_t body_length, body_capacity;
};

/* Reads the request that the gateway has accepted. The texts are in the arena or the gateway, and
 * are valid until the request ends. Never fails: routing reports errors in the request. */
void request_read(struct request *request, const struct request_root *root, struct gateway *gateway,
                  struct arena *arena);

/* Returns a variable of the request's gateway; "" if the variable is absent. */
const char *request_variable(const struct request *request, const char *name);

/* Reads a query parameter, percent-decoded, in the arena. *value becomes no text if the parameter
 * is absent. Returns NULL, or the reason for the client: a duplicate parameter, a malformed escape,
 * or text that is not UTF-8. */
const char *request_find_parameter(const struct request *request, const char *name,
                                   struct text *value);

/* Returns whether a Content-Type header has this type, in upper or lower case and with any
 * parameters. */
bool content_type_is(const char *content_type, const char *type);

/* Continues to read the body, up to `limit` bytes or to its end. *body is the part read so far.
 * Returns NULL, or an error if the body has more than max_bytes bytes, or fewer bytes than
 * announced. */
const struct error *request_read_body(struct request *request, size_t max_bytes, size_t limit,
                                      struct text *body);

#endif
