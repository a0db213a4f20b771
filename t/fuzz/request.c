/* Any bytes as the variables and the body that a front server passes on: one variable a line, then
 * an empty line, then the body. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "worker/request.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct gateway {
    char *variables; /* NAME=value, each with a NUL behind it, one more at the end */
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"limit", "cursor", "updatedSince"};
    const char *field, *message;
    struct arena arena = {0};
    struct gateway gateway;
    struct request request;
    struct text text;
    split(&gateway, data, size);
    request_read(&request, &gateway, &arena);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        request_find_parameter(&request, names[i], &text);
    if (!request_read_body(&request, &text, &field, &message) &&
        text.length > REQUEST_BODY_MAX_BYTES)
        abort();
    arena_free(&arena);
    free(gateway.variables);
    return 0;
}
