/* GET /docs/clients/{name}: a file of the client kit, to download. The program contains the files,
 * so they always fit the service. */
#include "base/text.h"
#include "site/public/routes.h"

#define NAME_SEGMENT 2 /* in /docs/clients/{name} */

/* one row for each file, written by the build */
static const struct {
    const char *name, *content_type, *content;
} files[] = {
#include "clients/kit.inc"
};

static const struct error *answer(struct exchange *exchange)
{
    const struct text name = exchange->request->segments[NAME_SEGMENT];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (text_equals(name, text_of(files[i].name))) {
            exchange->response->content_type = files[i].content_type;
            exchange->file_name = files[i].name;
            buffer_append_string(exchange->body, files[i].content);
            return NULL;
        }
    return &error_not_found;
}

TAGGED_ROUTE(kit_file, "/docs/clients/{name}", USES_NOTHING, answer);
