/* Parses the body of a form, by the rules of the URL standard (section 5.1). It is stricter than
 * the standard: our own forms have no field twice and only UTF-8, so any other body is not from
 * them. The route defines the fields of its form. */
#include "http/form.h"

#include <string.h>

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

/* Reads the Cookie header, which may contain anything, in one pass, and writes Set-Cookie. The
 * site's program interprets cookies; the API's program needs none, and is built without this code.
 */

struct text cookie_find(const char *header, const char *name)
{
    struct text rest = text_of(header), found = {0};
    while (rest.length > 0) {
        struct text value = text_split_next(&rest, ';');
        if (!text_equals(text_trim(text_split_next(&value, '=')), text_of(name)) || !value.bytes)
            continue;
        value = text_trim(value);
        if (found.bytes && !text_equals(value, found))
            return (struct text){0};
        found = value;
    }
    return found;
}

void cookie_set(struct response *response, const char *name, struct text value, int64_t max_age_s)
{
    static const char tls_prefix[] = "__Host-";
    bool wants_tls = strncmp(name, tls_prefix, sizeof tls_prefix - 1) == 0;
    buffer_print(&response->head,
                 "Set-Cookie: %s=%.*s; Max-Age=%lld; Path=/; HttpOnly; SameSite=Strict%s\r\n", name,
                 (int)value.length, value.bytes ? value.bytes : "", (long long)max_age_s,
                 wants_tls ? "; Secure" : "");
}

/* -- Names of browsers ------------------------------------------------------------------------- */

enum sign_kind { BROWSER, SYSTEM };

static const struct {
    enum sign_kind kind;
    const char *word, *name;
} signs[] = {
#define ROW(kind, word, name) {kind, word, name},
#include "schema/user_agents.inc"
};

static const char *find(enum sign_kind kind, const char *user_agent)
{
    for (size_t i = 0; user_agent && i < sizeof signs / sizeof *signs; i++)
        if (signs[i].kind == kind && strstr(user_agent, signs[i].word))
            return signs[i].name;
    return NULL;
}

struct text device_name(struct arena *arena, const char *user_agent)
{
    const char *known = find(BROWSER, user_agent), *browser = known ? known : "A browser";
    const char *system = find(SYSTEM, user_agent);
    return text_of(system ? arena_print(arena, "%s on %s", browser, system) : browser);
}
