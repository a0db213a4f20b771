/* Compares paths segment by segment. What a row means its program knows. */
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
static const char *find_path(path_table_row *row, const struct request *request)
{
    const char *found = NULL, *path;
    enum method method;
    for (int i = 0; request->has_endpoint_path && row(i, &method, &path); i++)
        if (fits(path, request) && (!found || strchr(found, '{')))
            found = path;
    return found;
}

static int find_row(path_table_row *row, const char *path, enum method method)
{
    const char *row_path;
    enum method row_method;
    if (method == METHOD_HEAD)
        method = METHOD_GET;
    for (int i = 0; row(i, &row_method, &row_path); i++)
        if (row_method == method && strcmp(row_path, path) == 0)
            return i;
    return PATH_TABLE_OTHER_METHOD;
}

int path_table_find(path_table_row *row, const struct request *request,
                    char allow[PATH_TABLE_ALLOW_BYTES])
{
    const char *path = find_path(row, request);
    if (!path)
        return PATH_TABLE_UNKNOWN;
    allow[0] = '\0';
    if (find_row(row, path, METHOD_GET) >= 0)
        strcat(allow, "GET, HEAD, ");
    if (find_row(row, path, METHOD_POST) >= 0)
        strcat(allow, "POST, ");
    if (find_row(row, path, METHOD_DELETE) >= 0)
        strcat(allow, "DELETE, ");
    strcat(allow, "OPTIONS");
    return find_row(row, path, request->method);
}
