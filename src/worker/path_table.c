/* Finds the row of a program's table that a method and a path belong to, by comparing the path
 * segment by segment. It knows only what stands in the rows; what a row means, and what is answered
 * where none fits, is left to router.c. */
#include "worker/path_table.h"

#include <string.h>

/* A {name} takes any segment that is not empty. */
static bool fits(const char *path, const struct request *request)
{
    size_t segment = 0;
    while (*path == '/') {
        size_t length = strcspn(++path, "/");
        struct text name = {path, length};
        if (segment >= request->segment_count || segment >= REQUEST_SEGMENTS_MAX)
            return false;
        const struct text *given = &request->segments[segment];
        if (*path == '{' ? given->length == 0 : !text_equals(name, *given))
            return false;
        path += length;
        segment++;
    }
    return segment == request->segment_count;
}

/* The paths /logs/ids and /logs/batch are no clientIds: a literal path that fits keeps the
 * templates away. */
static const char *find_path(const struct route *const *routes, const struct request *request)
{
    const char *found = NULL;
    for (; request->has_endpoint_path && *routes; routes++)
        if (fits((*routes)->path, request) && (!found || strchr(found, '{')))
            found = (*routes)->path;
    return found;
}

static const struct route *find_row(const struct route *const *routes, const char *path,
                                    enum method method)
{
    if (method == METHOD_HEAD)
        method = METHOD_GET;
    while (*routes && ((*routes)->method != method || strcmp((*routes)->path, path) != 0))
        routes++;
    return *routes;
}

bool path_table_find(const struct route *const *routes, const struct request *request,
                     const struct route **route, char allow[PATH_TABLE_ALLOW_BYTES])
{
    const char *path = find_path(routes, request);
    if (!path)
        return false;
    allow[0] = '\0';
    if (find_row(routes, path, METHOD_GET))
        strcat(allow, "GET, HEAD, ");
    if (find_row(routes, path, METHOD_POST))
        strcat(allow, "POST, ");
    if (find_row(routes, path, METHOD_DELETE))
        strcat(allow, "DELETE, ");
    strcat(allow, "OPTIONS");
    *route = find_row(routes, path, request->method);
    return true;
}
