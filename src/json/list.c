/* Reads a list of objects, visiting the fields of each object once. */
#include "json/list.h"

#include <json-c/json.h>

#include "base/arena.h"
#include "base/text.h"
#include "json/parse.h"

static struct json_value *read_element(struct json_object *object,
                                       const struct json_list_plan *plan, struct arena *arena)
{
    if (!json_object_is_type(object, json_type_object))
        return NULL;
    struct json_value *fields = arena_allocate_zeroed(arena, plan->fields_max * sizeof *fields);
    json_object_object_foreach(object, name, value)
    {
        int number = plan->find(text_of(name));
        if (number >= 0)
            fields[number] = json_value_of(value, arena);
    }
    return fields;
}

void json_list_of(const struct json_fields *object, const struct json_list_plan *plan,
                  struct arena *arena, struct json_list *list)
{
    struct json_object *array;
    *list = (struct json_list){0};
    json_object_object_get_ex(object->object, plan->list, &array);
    list->is_array = json_object_is_type(array, json_type_array);
    list->count = list->is_array ? json_object_array_length(array) : 0;
    size_t taken = list->count < plan->elements_max ? list->count : plan->elements_max;
    list->elements = arena_allocate(arena, taken * sizeof *list->elements);
    for (size_t i = 0; i < taken; i++)
        list->elements[i] = read_element(json_object_array_get_idx(array, i), plan, arena);
}
