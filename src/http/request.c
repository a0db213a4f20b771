/* Converts the front server's variables into one checked struct: method, path, query, headers,
 * address. Trusts no variable. The router decides which paths exist and who may use them. */
#include "http/request.h"

#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/text_hex.h"
#include "base/text_utf8.h"

static const char *variable(const struct request *request, const char *name)
{
    const char *value = gateway_variable(request->gateway, name);
    return value && *value ? value : NULL;
}

const char *request_variable(const struct request *request, const char *name)
{
    const char *value = variable(request, name);
    return value ? value : "";
}

static enum method read_method(const char *name)
{
    static const struct {
        const char *name;
        enum method method;
    } methods[] = {{"GET", METHOD_GET}, {"HEAD", METHOD_HEAD},     {"POST", METHOD_POST},
                   {"PUT", METHOD_PUT}, {"DELETE", METHOD_DELETE}, {"OPTIONS", METHOD_OPTIONS}};
    for (size_t i = 0; name && i < sizeof methods / sizeof *methods; i++)
        if (strcmp(name, methods[i].name) == 0)
            return methods[i].method;
    return METHOD_OTHER;
}

/* Returns the path as the client sent it, without scheme, authority and query. If the front server
 * does not set REQUEST_URI, the path is already decoded. *decoded receives whether this is the
 * case. */
static struct text find_path(const struct request *request, bool *decoded)
{
    const char *uri = variable(request, "REQUEST_URI");
    *decoded = !uri;
    if (!uri) {
        return text_of(arena_print(request->arena, "%s%s", request_variable(request, "SCRIPT_NAME"),
                                   request_variable(request, "PATH_INFO")));
    }
    const char *authority = strstr(uri, "://");
    if (*uri != '/' && authority) {
        const char *slash = strchr(authority + 3, '/');
        uri = slash ? slash : "/";
    }
    return (struct text){uri, strcspn(uri, "?#")};
}

static bool decode(const struct request *request, struct text raw, struct text *out)
{
    char *bytes = arena_allocate(request->arena, raw.length);
    *out = (struct text){bytes, 0};
    return text_percent_decode(raw, bytes, &out->length);
}

static struct text decode_segment(const struct request *request, struct text raw, bool decoded)
{
    struct text segment;
    return !decoded && decode(request, raw, &segment) ? segment : raw;
}

/* Returns whether the segment ends the base path. *is_own receives whether such a segment is also
 * the first segment of the program's own part. */
static bool ends_base(const struct request_root *root, struct text previous, struct text segment,
                      bool *is_own)
{
    *is_own = root->at != NULL;
    if (!root->at)
        return text_equals(previous, text_of(root->after[0])) &&
               text_equals(segment, text_of(root->after[1]));
    for (const char *const *name = root->at; *name; name++)
        if (text_equals(segment, text_of(*name)))
            return true;
    return false;
}

static void add_segment(struct request *request, struct text segment)
{
    if (request->segment_count < REQUEST_SEGMENTS_MAX)
        request->segments[request->segment_count] = segment;
    request->segment_count++;
}

/* Splits the path at "/" before each segment is decoded, so that an encoded slash never splits a
 * segment. */
static void read_path(struct request *request, const struct request_root *root)
{
    bool decoded, is_own;
    struct text rest = find_path(request, &decoded), previous = {0};
    const char *start = rest.bytes;
    if (rest.length > 0 && rest.bytes[0] == '/')
        rest = text_skip(rest, 1);
    while (rest.bytes && !request->has_endpoint_path) {
        struct text raw = text_split_next(&rest, '/');
        struct text segment = decode_segment(request, raw, decoded);
        request->has_endpoint_path = ends_base(root, previous, segment, &is_own);
        const char *end = raw.bytes + raw.length;
        if (request->has_endpoint_path && is_own) {
            add_segment(request, segment);
            end = raw.bytes > start ? raw.bytes - 1 : raw.bytes;
        }
        request->base_path = (struct text){start, (size_t)(end - start)};
        previous = segment;
    }
    while (rest.bytes && request->segment_count <= REQUEST_SEGMENTS_MAX)
        add_segment(request, decode_segment(request, text_split_next(&rest, '/'), decoded));
}

/* Reads "Bearer KEY", with the scheme in upper or lower case (RFC 6750, section 2.1). Other schemes
 * are ignored, because a Basic login for the whole site can use the same header. Without this
 * scheme, returns the key in X-API-Key. */
static struct text read_key(const struct request *request)
{
    const char *authorization = variable(request, "HTTP_AUTHORIZATION");
    if (!authorization)
        authorization = request_variable(request, "REDIRECT_HTTP_AUTHORIZATION");
    if (strncasecmp(authorization, "Bearer", 6) == 0 &&
        (authorization[6] == ' ' || authorization[6] == '\0'))
        return text_trim(text_of(authorization + 6));
    return text_trim(text_of(variable(request, "HTTP_X_API_KEY")));
}

void request_read(struct request *request, const struct request_root *root, struct gateway *gateway,
                  struct arena *arena)
{
    *request = (struct request){.gateway = gateway,
                                .arena = arena,
                                .arrived_ms = clock_wall_ms(),
                                .arrived_monotonic_ms = clock_monotonic_ms()};
    request->method = read_method(variable(request, "REQUEST_METHOD"));
    request->query = text_of(variable(request, "QUERY_STRING"));
    request->remote_address = variable(request, "REMOTE_ADDR");
    request->key = read_key(request);
    request->if_none_match = variable(request, "HTTP_IF_NONE_MATCH");
    read_path(request, root);
}

const char *request_find_parameter(const struct request *request, const char *name,
                                   struct text *value)
{
    struct text rest = request->query, found = {0};
    while (rest.length > 0) {
        struct text raw_value = text_split_next(&rest, '&'), decoded;
        struct text raw_name = text_split_next(&raw_value, '=');
        if (!decode(request, raw_name, &decoded) || !text_equals(decoded, text_of(name)))
            continue;
        if (found.bytes)
            return "must be given once";
        if (!decode(request, raw_value, &found) || !text_is_utf8(found.bytes, found.length))
            return "must be percent-encoded UTF-8";
    }
    *value = found;
    return NULL;
}

bool content_type_is(const char *content_type, const char *type)
{
    if (strncasecmp(content_type, type, strlen(type)) != 0)
        return false;
    content_type += strlen(type);
    content_type += strspn(content_type, " \t");
    return *content_type == '\0' || *content_type == ';';
}

/* Returns the announced length of the body. Returns -1 for a chunked body, which the front server
 * forwards as the body arrives. Returns INT64_MAX for an invalid length, so that the body is
 * refused as too large. */
static int64_t announced_length(const struct request *request)
{
    const char *length = variable(request, "CONTENT_LENGTH");
    int64_t bytes;
    if (!length && variable(request, "HTTP_TRANSFER_ENCODING"))
        return -1;
    if (!length)
        return 0;
    return text_parse_integer(text_of(length), 0, INT64_MAX, &bytes) ? bytes : INT64_MAX;
}

/* Reads until the body has `limit` bytes or ends. If the length is announced, memory for all these
 * bytes is allocated at once. */
static bool read_up_to(struct request *request, size_t limit, bool is_announced)
{
    ssize_t piece = 1;
    if (is_announced && request->body_capacity <= limit) {
        char *bytes = arena_allocate(request->arena, limit + 1);
        if (request->body_length > 0)
            memcpy(bytes, request->body, request->body_length);
        request->body = bytes;
        request->body_capacity = limit + 1;
    }
    while (request->body_length < limit && piece > 0) {
        const size_t length = request->body_length;
        request->body =
            arena_grow(request->arena, request->body, length, &request->body_capacity, 1);
        const size_t end = request->body_capacity < limit ? request->body_capacity : limit;
        piece = gateway_read(request->gateway, request->body + length, end - length);
        request->body_length += piece > 0 ? (size_t)piece : 0;
    }
    return piece >= 0;
}

static const struct error *refuse_large(const struct request *request, size_t max_bytes)
{
    return max_bytes == REQUEST_BODY_MAX_BYTES
               ? &error_body_too_large
               : error_with_details(request->arena, &error_body_too_large, "body", "is too large");
}

const struct error *request_read_body(struct request *request, size_t max_bytes, size_t limit,
                                      struct text *body)
{
    const int64_t announced = announced_length(request);
    if (announced > (int64_t)max_bytes)
        return refuse_large(request, max_bytes);
    const size_t whole = announced < 0 ? max_bytes + 1 : (size_t)announced;
    const size_t wanted = limit < whole ? limit : whole;
    const bool is_read = read_up_to(request, wanted, announced >= 0);
    *body = (struct text){request->body, request->body_length};
    if (is_read && body->length > max_bytes)
        return refuse_large(request, max_bytes);
    return is_read && (announced < 0 || body->length == wanted)
               ? NULL
               : error_with_details(request->arena, &error_validation_failed, "body",
                                    "is shorter than announced");
}
