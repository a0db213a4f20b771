/* Reads any bytes as the variables and the body from a front server: one variable per line, then an
 * empty line, then the body. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_utf8.h"
#include "demand.h"
#include "http/request.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct gateway {
    char *variables; /* NAME=value, each followed by a NUL, and another NUL at the end */
    const char *body;
    size_t body_length;
};

const char *gateway_variable(const struct gateway *gateway, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = gateway->variables; *at; at += strlen(at) + 1)
        if (strncmp(at, name, length) == 0 && at[length] == '=')
            return at + length + 1;
    return NULL;
}

ssize_t gateway_read(struct gateway *gateway, void *out, size_t capacity)
{
    size_t length = capacity < gateway->body_length ? capacity : gateway->body_length;
    memcpy(out, gateway->body, length);
    gateway->body += length;
    gateway->body_length -= length;
    return (ssize_t)length;
}

static void split(struct gateway *gateway, const uint8_t *data, size_t size)
{
    const uint8_t *empty = size ? memmem(data, size, "\n\n", 2) : NULL;
    size_t head = empty ? (size_t)(empty - data) : size;
    gateway->variables = calloc(1, head + 2);
    if (head > 0)
        memcpy(gateway->variables, data, head);
    for (size_t i = 0; i < head; i++)
        if (gateway->variables[i] == '\n')
            gateway->variables[i] = '\0';
    gateway->body = empty ? (const char *)empty + 2 : "";
    gateway->body_length = empty ? size - head - 2 : 0;
}

static void try_path(const struct request *request)
{
    demand(request->has_endpoint_path || request->segment_count == 0);
    demand(request->segment_count <= REQUEST_SEGMENTS_MAX + 1);
    demand(request->base_path.length == 0 || request->base_path.bytes);
    for (size_t i = 0; i < request->segment_count && i < REQUEST_SEGMENTS_MAX; i++)
        for (size_t at = 0; at < request->segments[i].length; at++)
            /* the value must be readable */
            (void)((const volatile char *)request->segments[i].bytes)[at];
}

/* The roots use both methods of finding the start of a program's own part of the path. */
static const char *const names[] = {"cluster", "profile", NULL};
static const struct request_root roots[] = {{.after = {"api", "v1"}}, {.at = names}};

static void try_parameters(const struct request *request)
{
    static const char *const parameters[] = {"limit", "cursor", "updatedSince"};
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++) {
        struct text value = {0};
        if (request_find_parameter(request, parameters[i], &value) || !value.bytes)
            continue;
        demand(text_is_utf8(value.bytes, value.length));
        demand(value.length + strlen(parameters[i]) <= request->query.length);
    }
}

#define START_BYTES 8

static void try_body(struct request *request)
{
    const char *announced = gateway_variable(request->gateway, "CONTENT_LENGTH");
    size_t there = request->gateway->body_length;
    struct text start, body;
    const struct error *error =
        request_read_body(request, REQUEST_BODY_MAX_BYTES, START_BYTES, &start);
    if (!error)
        demand(start.length <= START_BYTES);
    error = request_read_body(request, REQUEST_BODY_MAX_BYTES, SIZE_MAX, &body);
    if (error) {
        demand(error->field && error->message);
        return;
    }
    demand(body.length <= REQUEST_BODY_MAX_BYTES && body.length <= there);
    if (announced && *announced)
        demand(strtoull(announced, NULL, 10) == body.length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct gateway gateway;
    struct request request;
    split(&gateway, data, size);
    request_read(&request, &roots[1], &gateway, &arena);
    try_path(&request);
    request_read(&request, &roots[0], &gateway, &arena);
    demand(!request.key.bytes || text_trim(request.key).length == request.key.length);
    try_path(&request);
    try_parameters(&request);
    try_body(&request);
    arena_free(&arena);
    free(gateway.variables);
    return 0;
}
