/* Sends questions to one service and reads its answers. */
#include "admin/conversation.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

const char *conversation_fix(const struct conversation *with, const char *nginx, const char *apache)
{
    if (with->nginx)
        return nginx;
    if (with->apache)
        return apache;
    return arena_print(
        with->arena,
        "if pidof apache2 > /dev/null || ! command -v nginx > /dev/null; then %s; else "
        "%s; fi",
        apache, nginx);
}

const char *conversation_host(const struct conversation *with)
{
    const char *host = strstr(with->base, "://") + 3;
    return arena_print(with->arena, "%.*s", (int)strcspn(host, ":/"), host);
}

/* Without root's rights there is only the .htaccess. */
static const char *fix_for_account(const struct conversation *with, const char *home)
{
    return arena_print(with->arena,
                       "install -m 644 " QSOSYNC_SHARED_FILES "/apache/htaccess "
                       "%s/public_html/api/.htaccess && install -m 755 " QSOSYNC_WORKER
                       " %s/public_html/api/v1",
                       home, home);
}

const char *conversation_fix_for_site(const struct conversation *with)
{
    const char *home = getenv("HOME"), *host = conversation_host(with);
    size_t length = home ? strlen(home) : 0;
    if (length > 1 && geteuid() != 0 && strncmp(QSOSYNC_SHARED_FILES, home, length) == 0)
        return fix_for_account(with, home);
    return conversation_fix(with, arena_print(with->arena, CONVERSATION_PUT_SITE "nginx %s", host),
                            arena_print(with->arena, CONVERSATION_PUT_SITE "apache %s", host));
}

const char *conversation_fix_by_waiting(const struct conversation *with)
{
    return arena_print(with->arena, "sleep 60; qsosync-admin doctor %s", with->base);
}

int64_t conversation_number(const char *text, int64_t otherwise)
{
    int64_t number;
    return text && text_parse_integer(text_of(text), 0, INT32_MAX, &number) ? number : otherwise;
}
