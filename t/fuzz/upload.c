/* Reads any bytes as the body of an upload. No parsed value is longer than the input. Strictly
 * valid JSON is understood, with the same ADIF text as the strict reader finds. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "demand.h"
#include "json/read.h"
#include "site/uploads/body.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand_readable(struct text text, size_t sent)
{
    demand(text.bytes || text.length == 0);
    demand(text.length <= sent);
    for (size_t i = 0; i < text.length; i++)
        (void)((const volatile char *)text.bytes)[i];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct json_bounds bounds = {.items_max = 64};
    struct arena arena = {0};
    struct upload_body upload;
    const char *message = NULL, *ignored;
    const struct text body = {arena_copy(&arena, data, size), size};
    bool understood = upload_body_parse(body, &bounds, &arena, &upload, &message);
    demand(memcmp(body.bytes, data, size) == 0);
    if (understood) {
        demand_readable(upload.key, size);
        demand_readable(upload.type, size);
        demand_readable(upload.adif, size);
    } else {
        demand(message != NULL);
    }
    const struct json_fields *strict = json_read_object(body, &bounds, &arena, &ignored);
    demand(!strict || understood);
    if (strict)
        demand(text_equals(json_read_text(strict, "string"), upload.adif));
    arena_free(&arena);
    return 0;
}
