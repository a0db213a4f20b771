/* Parses the body of a form by the rules of the URL standard (section 5.1), but more strictly. Our
 * own forms send UTF-8 and no field twice, so any other body is from another sender. The route
 * defines the form's fields. */
#include "http/form.h"

#include "base/text_hex.h"
#include "base/text_utf8.h"

static bool decode(struct text raw, struct arena *arena, struct text *out)
{
    char *bytes = arena_copy(arena, raw.bytes, raw.length);
    for (size_t i = 0; i < raw.length; i++)
        if (bytes[i] == '+')
            bytes[i] = ' ';
    *out = (struct text){bytes, 0};
    return text_percent_decode((struct text){bytes, raw.length}, bytes, &out->length) &&
           text_is_utf8(bytes, out->length) && !text_has_nul(*out);
}

const char *form_read(struct text body, size_t fields_max, struct arena *arena, struct table *out)
{
    table_begin(out, arena, sizeof(struct text));
    while (body.length > 0) {
        struct text pair = text_split_next(&body, '&'), name, value;
        if (pair.length == 0)
            continue;
        if (out->count == fields_max)
            return "has too many fields";
        if (!decode(text_split_next(&pair, '='), arena, &name) || !decode(pair, arena, &value))
            return "must be percent-encoded UTF-8";
        if (table_find(out, name))
            return "contains a field twice";
        *(struct text *)table_at(out, name) = value;
    }
    return NULL;
}

struct text form_find(const struct table *form, const char *name)
{
    const struct text *value = table_find(form, text_of(name));
    return value ? *value : (struct text){0};
}
