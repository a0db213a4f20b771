/* Reads any bytes as the body of a form, and as the Cookie header. Every parsed value is within the
 * input and is text, and a cookie's value belongs to its name. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/text_utf8.h"
#include "demand.h"
#include "http/cookie.h"
#include "http/device.h"
#include "http/form.h"

#define FIELDS_MAX 16

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand_text(struct text text, size_t sent)
{
    demand(text.bytes != NULL);
    demand(text.length <= sent);
    demand(text_is_utf8(text.bytes, text.length));
    demand(!text_has_nul(text));
}

static void try_form(struct text body, struct arena *arena)
{
    struct table form;
    if (form_read(body, FIELDS_MAX, arena, &form))
        return;
    demand(form.count <= FIELDS_MAX);
    for (const struct table_entry *field = form.first; field; field = field->next) {
        const struct text *value = (const struct text *)field->value;
        demand_text(field->key, body.length);
        demand_text(*value, body.length);
        demand(table_find(&form, field->key) == value);
    }
}

static void try_cookie(const char *header)
{
    size_t length = strlen(header);
    struct text value = cookie_find(header, "qsosync");
    if (!value.bytes)
        return;
    demand(value.bytes >= header && value.bytes + value.length <= header + length);
    demand(memchr(value.bytes, ';', value.length) == NULL);
    demand(value.bytes > header && memmem(header, length, "qsosync", 7) != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    const char *copy = arena_copy(&arena, data, size);
    try_form((struct text){copy, size}, &arena);
    demand(memcmp(copy, data, size) == 0);
    try_cookie(copy);
    demand(device_name(&arena, copy).length <= 80);
    arena_free(&arena);
    return 0;
}
