/* json/scan checks the text first, because json-c accepts more than JSON allows. The result is
 * copied to the arena at once, so that json-c's own memory never outlives the call. */
#include "json/read.h"

#include <json-c/json.h>
#include <limits.h>
#include <string.h>

#include "json/scan.h"

struct member {
    const char *name; /* with a NUL */
    struct text text; /* no text: not a string */
    bool flag;
};

struct json_members {
    struct member *members;
    size_t count;
};

static bool judge(struct text json, const char **message)
{
    struct json_scan scan = {.at = json.bytes, .end = json.bytes + json.length};
    bool good = json.length <= INT_MAX && text_is_utf8(json.bytes, json.length);
    if (!good)
        json_scan_refuse(&scan, "is not valid UTF-8");
    bool is_object = good && json_scan_next(&scan) == '{';
    if (good)
        good = json_scan_value(&scan);
    if (good && (json_scan_next(&scan) || scan.at < scan.end))
        good = json_scan_refuse_syntax(&scan);
    if (good && !is_object)
        good = json_scan_refuse(&scan, "must be an object");
    *message = scan.message;
    return good;
}

static struct json_members *copy_members(struct json_object *json, struct arena *arena)
{
    struct json_members *body = arena_allocate(arena, sizeof *body);
    body->count = 0;
    body->members =
        arena_allocate(arena, (size_t)json_object_object_length(json) * sizeof *body->members + 1);
    json_object_object_foreach(json, name, value)
    {
        struct member *member = &body->members[body->count++];
        *member = (struct member){.name = arena_copy(arena, name, strlen(name)),
                                  .flag = json_object_is_type(value, json_type_boolean) &&
                                          json_object_get_boolean(value)};
        if (json_object_is_type(value, json_type_string)) {
            size_t length = (size_t)json_object_get_string_len(value);
            member->text.bytes = arena_copy(arena, json_object_get_string(value), length);
            member->text.length = length;
        }
    }
    return body;
}

const struct json_members *json_read_object(struct text json, struct arena *arena,
                                            const char **message)
{
    if (!judge(json, message))
        return NULL;
    struct json_tokener *tokener = json_tokener_new_ex(JSON_NESTING_MAX + 1);
    struct json_object *object =
        tokener ? json_tokener_parse_ex(tokener, json.bytes, (int)json.length) : NULL;
    struct json_members *body = object ? copy_members(object, arena) : NULL;
    if (!body)
        *message = "is not well-formed JSON";
    json_object_put(object);
    if (tokener)
        json_tokener_free(tokener);
    return body;
}

static const struct member *find(const struct json_members *body, const char *name)
{
    for (size_t i = 0; i < body->count; i++)
        if (strcmp(body->members[i].name, name) == 0)
            return &body->members[i];
    return NULL;
}

struct text json_read_text(const struct json_members *body, const char *name)
{
    const struct member *member = find(body, name);
    return member ? member->text : (struct text){0};
}

bool json_read_flag(const struct json_members *body, const char *name)
{
    const struct member *member = find(body, name);
    return member && member->flag;
}
