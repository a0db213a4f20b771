/* Reads small bodies, which are one JSON object: the fields are noted in one pass, and decoded when
 * they are asked for. A field that the caller does not ask for is checked, and otherwise ignored.
 * Lists of QSOs are read by list.c. */
#include "json/read.h"

#include "json/scan.h"

struct json_field {
    struct json_field *before;
    struct text name; /* decoded */
    struct json_value value;
};

struct json_fields {
    struct arena *arena;
    struct json_field *last;
};

static bool scan_fields(struct json_scan *scan, struct json_fields *object)
{
    bool more = true;
    if (!json_scan_count_item(scan) || !json_scan_enter(scan))
        return false;
    for (bool first = true; json_scan_separator(scan, '}', first, &more) && more; first = false) {
        struct json_field *field = arena_allocate(object->arena, sizeof *field);
        if (!json_scan_name(scan, &field->name))
            return false;
        const struct json_value name = {JSON_STRING, scan->has_escape, field->name};
        field->name = json_value_text(&name, object->arena);
        if (!json_scan_field(scan, &field->value))
            return false;
        field->before = object->last;
        object->last = field;
    }
    return !scan->message;
}

const struct json_fields *json_read_object(struct text json, struct arena *arena,
                                           const char **message)
{
    struct json_scan scan = {.at = json.bytes, .end = json.bytes + json.length};
    struct json_fields *object = arena_allocate(arena, sizeof *object);
    *object = (struct json_fields){.arena = arena};
    bool good =
        text_is_utf8(json.bytes, json.length) || json_scan_refuse(&scan, "is not valid UTF-8");
    bool is_object = good && json_scan_next(&scan) == '{';
    if (good)
        good = is_object ? scan_fields(&scan, object) : json_scan_value(&scan);
    if (good && (json_scan_next(&scan) || scan.at < scan.end))
        good = json_scan_refuse_syntax(&scan);
    if (good && !is_object)
        good = json_scan_refuse(&scan, "must be an object");
    *message = scan.message;
    return good ? object : NULL;
}

/* Of a field that is there twice the last value counts. */
static const struct json_field *find(const struct json_fields *object, const char *name)
{
    const struct text wanted = text_of(name);
    const struct json_field *field = object->last;
    while (field && !text_equals(field->name, wanted))
        field = field->before;
    return field;
}

struct text json_read_text(const struct json_fields *object, const char *name)
{
    const struct json_field *field = find(object, name);
    return field ? json_value_text(&field->value, object->arena) : (struct text){0};
}

bool json_read_count(const struct json_fields *object, const char *name, int64_t *out)
{
    const struct json_field *field = find(object, name);
    if (!field || (field->value.kind != JSON_NUMBER && field->value.kind != JSON_STRING))
        return false;
    return text_parse_integer(text_trim(field->value.text), 0, INT64_MAX, out);
}

bool json_has(const struct json_fields *object, const char *name)
{
    return find(object, name) != NULL;
}

bool json_has_flag(const struct json_fields *object, const char *name)
{
    const struct json_field *field = find(object, name);
    return field && (field->value.kind == JSON_TRUE || field->value.kind == JSON_FALSE);
}

bool json_read_flag(const struct json_fields *object, const char *name)
{
    const struct json_field *field = find(object, name);
    return field && field->value.kind == JSON_TRUE;
}

bool json_has_only(const struct json_fields *object, const char *const *names)
{
    for (const struct json_field *field = object->last; field; field = field->before) {
        const char *const *name = names;
        while (*name && !text_equals(field->name, text_of(*name)))
            name++;
        if (!*name)
            return false;
    }
    return true;
}
