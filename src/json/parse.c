/* Parses a text with json-c once, after a scan that rejects the errors that json-c accepts
 * (scan.c). The arena owns the memory that json-c allocates. */
#include "json/parse.h"

#include <ctype.h>
#include <json-c/json.h>
#include <string.h>
#include <sys/mman.h>

/* Ends the process if the system cannot provide `bytes` bytes. json-c 0.16 does not report that
 * memory has run out: it can return NULL or an inner array as a success. It can also continue
 * without a name or with the start of a string, or crash. */
static void require_memory(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        memory_give_up(bytes);
    munmap(memory, bytes);
}

/* Parses a scanned text; returns NULL if the text is not well-formed. After the scan, json-c
 * reports success without having read the whole text only if an allocation failed. */
static struct json_object *parse_scanned(struct text text)
{
    /* One more level, because json-c also counts the values in the innermost array. */
    struct json_tokener *tokener = json_tokener_new_ex(JSON_NESTING_MAX + 1);
    if (!tokener)
        memory_give_up(text.length);
    text = text_trim(text);
    struct json_object *value = json_tokener_parse_ex(tokener, text.bytes, (int)text.length);
    const bool is_whole = value && json_tokener_get_parse_end(tokener) == text.length;
    if (!is_whole && json_tokener_get_error(tokener) == json_tokener_success)
        memory_give_up(text.length);
    json_tokener_free(tokener);
    if (is_whole)
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
    static const char not_well_formed[] = "is not well-formed JSON";
    struct json_scanned scanned;
    *message = json_scan(json, bounds, arena, &scanned);
    if (*message)
        return NULL;
    const size_t blank = text_count_leading(json, isspace);
    if (blank == json.length || json.bytes[blank] != '{') {
        *message = blank == json.length ? not_well_formed : "must be an object";
        return NULL;
    }
    require_memory(scanned.memory);
    struct json_object *value = parse_scanned(scanned.text);
    if (value)
        arena_add_cleanup(arena, value, put);
    else
        *message = not_well_formed;
    return value;
}
