/* Sends questions to one service and reads its answers. */
#include "admin/conversation.h"

#include <string.h>

const char *conversation_header(struct conversation *with, const struct http_response *response,
                                const char *name)
{
    int count;
    return http_client_header(response, with->arena, name, &count);
}

bool conversation_holds(const struct http_response *response, const char *text)
{
    return strstr(response->body.bytes, text) != NULL;
}

void conversation_ask(struct conversation *with, const char *method, const char *path,
                      const char *first, const char *second, const char *third,
                      struct http_response *response)
{
    struct http_request request = {.method = method,
                                   .url = arena_print(with->arena, "%s%s", with->base, path)};
    const char *const headers[] = {first, second, third};
    int count = 0;
    for (size_t i = 0; i < 3; i++)
        if (headers[i])
            request.headers[count++] = headers[i];
    http_client_send(&request, with->arena, response);
}

const char *conversation_mend(const struct conversation *with, const char *nginx,
                              const char *apache)
{
    if (with->nginx)
        return nginx;
    if (with->apache)
        return apache;
    return arena_print(with->arena, "nginx: %s; Apache: %s", nginx, apache);
}

int64_t conversation_number(const char *text, int64_t otherwise)
{
    int64_t number;
    return text && text_parse_integer(text_of(text), 0, INT32_MAX, &number) ? number : otherwise;
}
