/* Turns the front server's raw variables into one checked struct. */
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

#define REQUEST_SEGMENTS_MAX 8           /* more segments than any endpoint has */
#define REQUEST_BODY_MAX_BYTES (8 << 20) /* more bytes than any route accepts */

/* The beginning of the program's own part of a path. Any prefix can precede it. */
struct request_root {
    const char *after[2];  /* after these two segments, which belong to the base path; */
    const char *const *at; /* or, if not NULL, the first segment with one of these names */
};

struct request {
    struct gateway *gateway;
    struct arena *arena;
    int64_t arrived_ms; /* from clock_wall_ms, rounded down */
    int64_t arrived_monotonic_ms;
    enum method method;
    bool has_endpoint_path; /* false: the path lacks the program's root */
    struct text base_path;  /* as sent, such as /api/v1; without a root, the whole path */
    size_t segment_count;   /* after the base path; REQUEST_SEGMENTS_MAX + 1: too many */
    struct text segments[REQUEST_SEGMENTS_MAX]; /* percent-decoded */
    struct text query;                          /* raw, without the question mark */
    const char *remote_address;                 /* NULL: unknown */
    struct text key;                            /* the presented API key; no text: none */
    const char *if_none_match;
    char *body; /* the part read so far */
    size_t body_length, body_capacity;
};

/* Reads the request that the gateway has accepted. The texts are in the arena or the gateway, until
 * the request ends. Never fails: routing reports errors in the request. */
void request_read(struct request *request, const struct request_root *root, struct gateway *gateway,
                  struct arena *arena);

/* Returns a variable of the request's gateway; "" if absent. */
const char *request_variable(const struct request *request, const char *name);

/* Reads a query parameter, percent-decoded in the arena; no text: absent. Returns NULL, or the
 * reason for the client: a duplicate parameter, a malformed escape, or text that is not UTF-8. */
const char *request_find_parameter(const struct request *request, const char *name,
                                   struct text *value);

/* Returns whether a Content-Type header has this type, in any case and with any parameters. */
bool content_type_is(const char *content_type, const char *type);

/* Continues to read the body, up to `limit` bytes or its end. *body is the part read so far.
 * Returns NULL, or an error if the body has more than max_bytes, or fewer than announced. */
const struct error *request_read_body(struct request *request, size_t max_bytes, size_t limit,
                                      struct text *body);

#endif
