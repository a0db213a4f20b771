/* Reads a body that is an object with a list of objects, such as a batch. One pass over the text
 * checks it and finds what the caller asks for. The objects of a list mostly have their fields in
 * the same order, so each name is looked up once for the whole list. Values are read by value.c. */
#include "json/list.h"

#include "json/scan.h"

#define NAMES_KEPT 64

/* The list while it is scanned. */
struct scanned_list {
    const struct json_list_plan *plan;
    struct arena *arena;
    struct json_list *out;
    struct {
        struct text name;
        int number;
    } kept[NAMES_KEPT]; /* the fields of the object before, in their order */
};

/* A name with escapes means the same as without. */
static struct text decode_name(const struct json_scan *scan, struct text name, struct arena *arena)
{
    const struct json_value value = {JSON_STRING, scan->has_escape, name};
    return json_value_text(&value, arena);
}

static int find_field(const struct json_scan *scan, struct scanned_list *list, struct text name,
                      size_t position)
{
    if (position >= NAMES_KEPT)
        return list->plan->find(decode_name(scan, name, list->arena));
    if (!text_equals(list->kept[position].name, name)) {
        list->kept[position].name = name;
        list->kept[position].number = list->plan->find(decode_name(scan, name, list->arena));
    }
    return list->kept[position].number;
}

static bool scan_object(struct json_scan *scan, struct scanned_list *list,
                        struct json_value *fields)
{
    struct json_value unknown;
    struct text name;
    bool more = true;
    if (!json_scan_count_item(scan) || !json_scan_enter(scan))
        return false;
    for (size_t position = 0; json_scan_separator(scan, '}', position == 0, &more) && more;
         position++) {
        if (!json_scan_name(scan, &name))
            return false;
        int number = find_field(scan, list, name, position);
        if (!json_scan_field(scan, number >= 0 ? &fields[number] : &unknown))
            return false;
    }
    return !scan->message;
}

static bool scan_element(struct json_scan *scan, struct scanned_list *list)
{
    size_t number = list->out->count++;
    if (number >= list->plan->elements_max)
        return json_scan_value(scan);
    list->out->elements[number] = NULL;
    if (json_scan_next(scan) != '{')
        return json_scan_value(scan);
    size_t bytes = list->plan->fields_max * sizeof *list->out->elements[number];
    list->out->elements[number] = arena_allocate_zeroed(list->arena, bytes);
    return scan_object(scan, list, list->out->elements[number]);
}

static bool scan_list(struct json_scan *scan, struct scanned_list *list)
{
    bool more = true;
    list->out->is_array = *scan->at == '[';
    list->out->count = 0;
    if (!list->out->is_array)
        return json_scan_value(scan);
    if (!json_scan_count_item(scan) || !json_scan_enter(scan))
        return false;
    for (bool first = true; json_scan_separator(scan, ']', first, &more) && more; first = false)
        if (!scan_element(scan, list))
            return false;
    return !scan->message;
}

static bool scan_body(struct json_scan *scan, struct scanned_list *list)
{
    const struct text wanted = text_of(list->plan->list);
    struct text name;
    bool more = true;
    if (!json_scan_count_item(scan) || !json_scan_enter(scan))
        return false;
    for (bool first = true; json_scan_separator(scan, '}', first, &more) && more; first = false) {
        if (!json_scan_name(scan, &name))
            return false;
        bool is_list = text_equals(decode_name(scan, name, list->arena), wanted);
        if (is_list ? !scan_list(scan, list) : !json_scan_value(scan))
            return false;
    }
    return !scan->message;
}

bool json_list_scan(struct text body, const struct json_list_plan *plan, struct arena *arena,
                    struct json_list *list, const char **message)
{
    struct json_scan scan = {.at = body.bytes, .end = body.bytes + body.length};
    struct scanned_list scanned = {.plan = plan, .arena = arena, .out = list};
    *list = (struct json_list){
        .elements = arena_allocate(arena, plan->elements_max * sizeof *list->elements)};
    bool good =
        text_is_utf8(body.bytes, body.length) || json_scan_refuse(&scan, "is not valid UTF-8");
    bool is_object = good && json_scan_next(&scan) == '{';
    if (good)
        good = is_object ? scan_body(&scan, &scanned) : json_scan_value(&scan);
    if (good && (json_scan_next(&scan) || scan.at < scan.end))
        good = json_scan_refuse_syntax(&scan);
    if (good && !is_object)
        good = json_scan_refuse(&scan, "must be an object");
    *message = scan.message;
    return good;
}
