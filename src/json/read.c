/* Reads small bodies, which are one JSON object: the fields are noted in one pass, and decoded when
 * they are asked for. A field that the caller does not ask for is checked, and otherwise ignored.
 * Lists of QSOs are read by list.c. */
#include "json/read.h"

#include "json/scan.h"

struct member {
    struct member *before;
    struct text name; /* decoded */
    struct json_value value;
};

struct json_members {
    struct arena *arena;
    struct member *last;
};

static bool scan_members(struct json_scan *scan, struct json_members *object)
{
    bool more = true;
    if (!json_scan_count_item(scan) || !json_scan_enter(scan))
        return false;
    for (bool first = true; json_scan_separator(scan, '}', first, &more) && more; first = false) {
        struct member *member = arena_allocate(object->arena, sizeof *member);
        if (!json_scan_name(scan, &member->name))
            return false;
        const struct json_value name = {JSON_STRING, scan->has_escape, member->name};
        member->name = json_value_text(&name, object->arena);
        if (!json_scan_member(scan, &member->value))
            return false;
        member->before = object->last;
        object->last = member;
    }
    return !scan->message;
}

const struct json_members *json_read_object(struct text json, struct arena *arena,
                                            const char **message)
{
    struct json_scan scan = {.at = json.bytes, .end = json.bytes + json.length};
    struct json_members *object = arena_allocate(arena, sizeof *object);
    *object = (struct json_members){.arena = arena};
    bool good =
        text_is_utf8(json.bytes, json.length) || json_scan_refuse(&scan, "is not valid UTF-8");
    bool is_object = good && json_scan_next(&scan) == '{';
    if (good)
        good = is_object ? scan_members(&scan, object) : json_scan_value(&scan);
    if (good && (json_scan_next(&scan) || scan.at < scan.end))
        good = json_scan_refuse_syntax(&scan);
    if (good && !is_object)
        good = json_scan_refuse(&scan, "must be an object");
    *message = scan.message;
    return good ? object : NULL;
}

/* Of a member that is there twice the last value counts. */
static const struct member *find(const struct json_members *object, const char *name)
{
    const struct text wanted = text_of(name);
    const struct member *member = object->last;
    while (member && !text_equals(member->name, wanted))
        member = member->before;
    return member;
}

struct text json_read_text(const struct json_members *object, const char *name)
{
    const struct member *member = find(object, name);
    return member ? json_value_text(&member->value, object->arena) : (struct text){0};
}

bool json_read_flag(const struct json_members *object, const char *name)
{
    const struct member *member = find(object, name);
    return member && member->value.kind == JSON_TRUE;
}
