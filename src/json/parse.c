/* Parses a text with json-c: one parse after a pass that rejects the input about which json-c is
 * lax (scan.c). The arena owns the memory that json-c allocates. */
#include "json/parse.h"

#include <ctype.h>
#include <json-c/json.h>
#include <string.h>
#include <sys/mman.h>

#include "base/log.h"

/* Errors in the text's brackets, commas and colons. Any other error is json-c's own: the earlier
 * pass has already validated the tokens. */
static bool is_syntax_error(enum json_tokener_error error)
{
    return error == json_tokener_continue || error == json_tokener_error_parse_eof ||
           error == json_tokener_error_parse_unexpected ||
           error == json_tokener_error_parse_array ||
           error == json_tokener_error_parse_object_key_name ||
           error == json_tokener_error_parse_object_key_sep ||
           error == json_tokener_error_parse_object_value_sep;
}

/* json-c 0.16 does not report that memory has run out. It may return NULL or an inner array as a
 * success, continue without a name or with the start of a string, or crash. So the system is asked
 * first whether enough memory is available. */
static bool has_memory(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory != MAP_FAILED && munmap(memory, bytes) == 0;
}

/* Weighs the result like the text (struct json_scanned), to find parts that json-c lost. */
static size_t weigh(struct json_object *value)
{
    size_t weight = 1;
    if (json_object_is_type(value, json_type_string))
        return weight + (size_t)json_object_get_string_len(value);
    if (json_object_is_type(value, json_type_array))
        for (size_t i = json_object_array_length(value); i > 0; i--)
            weight += weigh(json_object_array_get_idx(value, i - 1));
    if (!json_object_is_type(value, json_type_object))
        return weight;
    json_object_object_foreach(value, name, field) weight += 1 + strlen(name) + weigh(field);
    return weight;
}

/* Returns NULL, with the message or, if memory ran out, without one. */
static struct json_object *parse_once(struct text text, const char **message)
{
    /* json-c also counts the values in the innermost array. */
    struct json_tokener *tokener = json_tokener_new_ex(JSON_NESTING_MAX + 1);
    *message = NULL;
    if (!tokener)
        return NULL;
    text = text_trim(text);
    struct json_object *value = json_tokener_parse_ex(tokener, text.bytes, (int)text.length);
    bool is_whole = value && json_tokener_get_parse_end(tokener) == text.length;
    if (is_syntax_error(json_tokener_get_error(tokener)))
        *message = "is not well-formed JSON";
    json_tokener_free(tokener);
    if (is_whole)
        return value;
    json_object_put(value);
    return NULL;
}

/* The result is lighter than the text if a name occurs twice. A second parse then gives the same
 * weight, unlike a failed allocation. */
static struct json_object *parse_weighed(const struct json_scanned *scanned, const char **message)
{
    struct json_object *value = parse_once(scanned->text, message);
    size_t weight = value ? weigh(value) : scanned->weight;
    if (weight == scanned->weight)
        return value;
    json_object_put(value);
    value = parse_once(scanned->text, message);
    if (!value || weigh(value) == weight)
        return value;
    json_object_put(value);
    return NULL;
}

static void put(void *value)
{
    json_object_put(value);
}

struct json_object *json_parse(struct text json, const struct json_bounds *bounds,
                               struct arena *arena, const char **message)
{
    struct json_scanned scanned;
    struct json_object *value = NULL;
    *message = json_scan(json, bounds, arena, &scanned);
    if (*message)
        return NULL;
    const size_t blank = text_count_leading(json, isspace);
    if (blank == json.length || json.bytes[blank] != '{') {
        *message = blank == json.length ? "is not well-formed JSON" : "must be an object";
        return NULL;
    }
    if (has_memory(scanned.memory))
        value = parse_weighed(&scanned, message);
    if (value)
        arena_add_cleanup(arena, value, put);
    else if (!*message)
        log_line("out of memory: %zu bytes could not be allocated", scanned.memory);
    return value;
}
