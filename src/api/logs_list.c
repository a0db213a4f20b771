/* GET /logs: the log, or the changes in it, page by page (API section 4.2).
 *
 * If a client requests deletions, each page has the QSOs and the deletions in one range of stamps.
 * Pages and cursors are therefore the same for both. */
#include "api/endpoint.h"
#include "base/datetime.h"
#include "base/uuid.h"
#include "json/append.h"
#include "json/write.h"
#include "json/write_object.h"
#include "qso/cursor.h"
#include "qso/render.h"
#include "store/log/qsos.h"
#include "store/log/tombstones.h"

#define LIMIT_DEFAULT 200
#define LIMIT_MAX 500
/* maximum number of links to later pages per answer; browsers send six requests at once */
#define AHEAD_MAX 8

struct deletion {
    struct position position;
    const unsigned char *client_id; /* NULL: the QSO had no clientId */
};

struct page {
    struct arena *arena;
    struct buffer *body;
    int64_t limit;
    int64_t ahead; /* number of later pages to link to */
    int64_t count; /* items found; more than `limit` if there is another page */
    int64_t items;
    struct position last;
    bool tells_deletions;
    bool deletions_are_complete;
    struct position since;            /* position after which the client requests changes */
    struct deletion *deletions;       /* deletions to report: at most limit + 1 */
    int64_t found, examined, deleted; /* numbers of deletions: found, examined, on the page */
};

/* Restores the plus sign of a date-time, which form encoding has turned into a space. */
static struct text restore_plus(struct exchange *exchange, struct text text)
{
    char *copy = arena_copy(exchange->arena, text.bytes, text.length);
    for (size_t i = 0; i < text.length; i++)
        if (copy[i] == ' ')
            copy[i] = '+';
    return (struct text){copy, text.length};
}

static const struct error *read_updated_since(struct exchange *exchange, struct position *since)
{
    struct text value;
    TRY(input_read_parameter(exchange, "updatedSince", &value));
    if (value.bytes && !datetime_parse(restore_plus(exchange, value), &since->synced_at_ms))
        return input_refuse(exchange, "updatedSince",
                            "must be an ISO 8601 date-time with a time zone");
    return NULL;
}

static const struct error *read_cursor(struct exchange *exchange, struct position *after)
{
    struct text value;
    struct position last;
    TRY(input_read_parameter(exchange, "cursor", &value));
    if (!value.bytes)
        return NULL;
    if (!cursor_parse(value, &last.synced_at_ms, &last.id))
        return input_refuse(exchange, "cursor", "must be the nextCursor of the previous page");
    if (last.synced_at_ms > after->synced_at_ms)
        *after = last;
    return NULL;
}

static const struct error *read_include_deleted(struct exchange *exchange, bool *tells_deletions)
{
    struct text value;
    TRY(input_read_parameter(exchange, "includeDeleted", &value));
    *tells_deletions = text_equals(value, text_of("true"));
    if (value.bytes && !*tells_deletions && !text_equals(value, text_of("false")))
        return input_refuse(exchange, "includeDeleted", "must be true or false");
    return NULL;
}

static bool is_before(struct position one, struct position other)
{
    return one.synced_at_ms != other.synced_at_ms ? one.synced_at_ms < other.synced_at_ms
                                                  : one.id < other.id;
}

/* Returns whether the log has a change after this position. The log's revision is the stamp of its
 * last change, so no stamp in the log is later. */
static bool has_changes(const struct exchange *exchange, struct position after)
{
    return is_before(after, (struct position){exchange->identity.log_revision, INT64_MAX});
}

/* Counts an item, and returns whether it belongs to this page. One item more than the limit shows
 * that there is another page. */
static bool take_item(struct page *page, struct position position)
{
    if (page->count++ >= page->limit)
        return false;
    page->last = position;
    return true;
}

static void take_deletions_before(struct page *page, struct position position)
{
    while (page->examined < page->found &&
           is_before(page->deletions[page->examined].position, position))
        if (take_item(page, page->deletions[page->examined++].position))
            page->deleted++;
}

static void add_qso(void *context, const struct qso *qso)
{
    struct page *page = context;
    struct position position = {qso->values[FIELD_SYNCED_AT].integer,
                                qso->values[FIELD_ID].integer};
    take_deletions_before(page, position);
    if (!take_item(page, position))
        return;
    if (page->items++)
        buffer_append(page->body, ",", 1);
    render_qso(qso, page->body);
}

static void keep_deletion(void *context, struct position position, const unsigned char *client_id)
{
    struct page *page = context;
    const void *kept = client_id ? arena_copy(page->arena, client_id, UUID_BYTES) : NULL;
    page->deletions[page->found++] = (struct deletion){position, kept};
}

/* Finds the deletions to report. A client that downloads the whole log has no copies of deleted
 * QSOs, so it receives no deletions. */
static enum store_result find_deletions(struct exchange *exchange, struct position after,
                                        struct page *page)
{
    const int64_t member_id = exchange->identity.member_id;
    int64_t known_since_ms;
    page->deletions_are_complete = true;
    if (page->since.synced_at_ms == INT64_MIN)
        return STORE_DONE;
    enum store_result result = store_find_deletions_since(
        exchange->store, member_id, exchange->request->arrived_ms, &known_since_ms);
    if (result != STORE_DONE)
        return result;
    page->deletions_are_complete = page->since.synced_at_ms >= known_since_ms;
    if (!has_changes(exchange, after))
        return STORE_DONE;
    page->deletions =
        arena_allocate(exchange->arena, (size_t)(page->limit + 1) * sizeof *page->deletions);
    return store_list_tombstones(exchange->store, member_id, after, page->limit + 1, keep_deletion,
                                 page);
}

static void append_deletions(const struct page *page)
{
    json_begin_array(page->body, "deleted");
    for (int64_t i = 0; i < page->deleted; i++) {
        const struct deletion *deletion = &page->deletions[i];
        json_begin_item(page->body);
        json_write_number_text(page->body, "id", deletion->position.id);
        json_write_name(page->body, "clientId");
        json_append_uuid(page->body, deletion->client_id);
        json_write_time(page->body, "deletedAt", deletion->position.synced_at_ms);
        buffer_append(page->body, "}", 1);
    }
    buffer_append(page->body, "]", 1);
    json_write_flag(page->body, "deletedComplete", page->deletions_are_complete);
}

static void link_page(struct buffer *link, const struct page *page, struct position last,
                      const char *before, const char *relation)
{
    char cursor[CURSOR_LENGTH], since[DATETIME_TEXT_LENGTH];
    cursor_format(last.synced_at_ms, last.id, cursor);
    buffer_print(link, "%s<?limit=%lld&cursor=%.*s", before, (long long)page->limit, CURSOR_LENGTH,
                 cursor);
    if (page->since.synced_at_ms != INT64_MIN) {
        datetime_format(page->since.synced_at_ms, since);
        buffer_print(link, "&updatedSince=%.*s", DATETIME_TEXT_LENGTH, since);
    }
    buffer_print(link, "%s>; rel=\"%s\"", page->tells_deletions ? "&includeDeleted=true" : "",
                 relation);
}

/* Adds links to later pages in the header, which arrives before the body, so the client can request
 * the next pages while this page arrives. The links have no path: the client already has the path,
 * and the front server can use another path. If later pages contain deletions, their boundaries are
 * unknown until these pages are read. */
static enum store_result name_followers(struct exchange *exchange, const struct page *page)
{
    struct buffer *head = &exchange->response->head;
    struct position last = page->last;
    int64_t ahead = page->deleted == page->found ? page->ahead : 1;
    enum store_result result = STORE_DONE;
    link_page(head, page, last, "Link: ", "next");
    while (--ahead > 0 && result == STORE_DONE) {
        result = store_skip_qsos(exchange->store, exchange->identity.member_id, page->limit, &last);
        if (result == STORE_DONE)
            link_page(head, page, last, ", ", "section");
    }
    buffer_append_string(head, "\r\n");
    return result == STORE_NONE ? STORE_DONE : result;
}

static enum store_result finish(struct exchange *exchange, const struct page *page)
{
    char cursor[CURSOR_LENGTH];
    enum store_result result = STORE_DONE;
    struct text next = {0};
    buffer_append(page->body, "]", 1);
    if (page->tells_deletions)
        append_deletions(page);
    if (page->count > page->limit) {
        cursor_format(page->last.synced_at_ms, page->last.id, cursor);
        next = (struct text){cursor, sizeof cursor};
        result = name_followers(exchange, page);
    }
    json_write_fields(page->body, json_text("nextCursor", next),
                      json_time("serverTime", exchange->server_time_ms));
    buffer_append(page->body, "}", 1);
    return result;
}

/* Adds the number of QSOs, for clients that show the progress of a download. Only the first page
 * has the number, and only if deletions were requested. Other clients do not read the number,
 * and need not wait for the count. */
static enum store_result tell_count(struct exchange *exchange, struct position after)
{
    int64_t count;
    if (after.synced_at_ms != INT64_MIN)
        return STORE_DONE;
    enum store_result result =
        store_count_qsos(exchange->store, exchange->identity.member_id, &count);
    if (result == STORE_DONE)
        response_add_header_number(exchange->response, "X-Log-Count", count);
    return result;
}

static const struct error *answer(struct exchange *exchange)
{
    struct page page = {.arena = exchange->arena,
                        .body = exchange->body,
                        .limit = LIMIT_DEFAULT,
                        .since = {INT64_MIN, INT64_MAX}};
    TRY(read_updated_since(exchange, &page.since));
    struct position after = page.since;
    TRY(input_read_integer(exchange, "limit", 1, LIMIT_MAX, &page.limit));
    TRY(input_read_integer(exchange, "ahead", 0, AHEAD_MAX, &page.ahead));
    TRY(read_cursor(exchange, &after));
    TRY(read_include_deleted(exchange, &page.tells_deletions));
    enum store_result result = STORE_DONE;
    if (page.tells_deletions)
        result = find_deletions(exchange, after, &page);
    if (page.tells_deletions)
        THEN(result, tell_count(exchange, after));
    buffer_append_string(page.body, "{\"items\":[");
    if (result == STORE_DONE && has_changes(exchange, after))
        result = store_list_qsos(exchange->store, exchange->identity.member_id, after,
                                 page.limit + 1, add_qso, &page);
    take_deletions_before(&page, (struct position){INT64_MAX, INT64_MAX});
    THEN(result, finish(exchange, &page));
    return route_store_error(result);
}

ROUTE(logs_list) = {
    .method = METHOD_GET,
    .path = "/logs",
    .access = ACCESS_READ_KEY,
    .use = USES_SNAPSHOT,
    .status = 200,
    .sends_log_epoch = true,
    .answer = answer,
};
