/* Checks and stores the ways of alerts. The addresses come from members, so src/alerts checks each
 * address again after it has looked up the host. */
#include "store/alerts/alert_ways.h"

#include <ctype.h>
#include <string.h>

#include "base/es256.h"
#include "base/host.h"
#include "base/host_local.h"
#include "base/text_utf8.h"
#include "base/text_visible.h"
#include "store/store.h"
#include "store/transaction.h"

/* Returns whether all bytes are printable ASCII without spaces. */
static bool is_graphic(struct text text)
{
    for (size_t i = 0; i < text.length; i++)
        if ((unsigned char)text.bytes[i] <= ' ' || (unsigned char)text.bytes[i] >= 0x7F)
            return false;
    return text.length > 0 && text.length <= ALERT_ADDRESS_MAX;
}

static bool is_web_address(struct text text)
{
    struct web_address address;
    return is_graphic(text) && host_read_address(text, &address) && address.is_encrypted &&
           !host_is_local(&address.host);
}

/* Returns whether each line is a header whose name contains only letters, digits and hyphens. */
static bool are_headers(struct text lines)
{
    int count = 0;
    if (lines.length > ALERT_HEADERS_MAX || !text_is_utf8(lines.bytes, lines.length))
        return false;
    while (lines.bytes) {
        struct text value = text_split_next(&lines, '\n');
        const struct text name = text_split_next(&value, ':');
        if (++count > ALERT_HEADERS_COUNT || !value.bytes || name.length == 0 ||
            text_has_control(value) ||
            text_is_one_of(name, "Host Content-Length Transfer-Encoding"))
            return false;
        for (size_t i = 0; i < name.length; i++)
            if (!isalnum((unsigned char)name.bytes[i]) && name.bytes[i] != '-')
                return false;
    }
    return true;
}

static bool is_body(struct text body)
{
    return body.length > 0 && body.length <= ALERT_BODY_MAX &&
           text_is_utf8(body.bytes, body.length) && !text_has_nul(body);
}

static const char *find_invalid_push(const struct alert_way *way)
{
    if (way->point.length != ALERT_PUSH_KEY_BYTES || way->point.bytes[0] != 4 ||
        !es256_is_point((const unsigned char *)way->point.bytes + 1))
        return "p256dh";
    return way->secret.length == ALERT_SECRET_BYTES ? NULL : "auth";
}

static const char *find_invalid_request(const struct alert_way *way)
{
    if (way->format < 0 || way->format >= ALERT_FORMATS)
        return "format";
    if (way->headers.bytes && !are_headers(way->headers))
        return "headers";
    return is_body(way->body) ? NULL : "body";
}

const char *alert_find_invalid_way(const struct alert_way *way)
{
    if (way->kind < 0 || way->kind >= ALERT_WAY_KINDS)
        return "kind";
    if (way->name.length == 0 || !text_is_utf8(way->name.bytes, way->name.length) ||
        text_has_control(way->name) || text_has_invisible(way->name) ||
        text_count_code_points(way->name) > ALERT_NAME_MAX)
        return "name";
    if (!is_web_address(way->address))
        return "address";
    return way->kind == ALERT_PUSH ? find_invalid_push(way) : find_invalid_request(way);
}

static const struct read_column way_columns[] = COLUMNS(
    COLUMN(alert_way, id, "id"), COLUMN(alert_way, kind, "kind"), COLUMN(alert_way, name, "name"),
    COLUMN(alert_way, address, "address"), COLUMN(alert_way, session_id, "session_id"),
    COLUMN(alert_way, is_put, "is_put"), COLUMN(alert_way, format, "format"),
    COLUMN(alert_way, headers, "headers"), COLUMN(alert_way, body, "body"),
    COLUMN(alert_way, is_on, "is_on"), COLUMN(alert_way, created_at_ms, "created_at"),
    COLUMN(alert_way, sent_at_ms, "sent_at"), COLUMN(alert_way, failed_at_ms, "failed_at"),
    COLUMN(alert_way, failure, "failure"), COLUMN(alert_way, has_ended, "has_ended"));
ROW_READER(way_columns, STATEMENT_LIST_ALERT_WAYS);

enum store_result store_list_alert_ways(struct store *store, int64_t member_id,
                                        alert_way_visitor *visit, void *context)
{
    struct statement *list =
        store_with(store, STATEMENT_LIST_ALERT_WAYS, BIND("member_id", member_id));
    enum store_result result = STORE_DONE;
    struct alert_way way = {0};
    while (database_next_row(store->database, list, way_columns, &way, &result))
        visit(context, &way);
    return result;
}

#define BIND_WAY(way)                                                                              \
    BIND("name", (way)->name), BIND("kind", (way)->kind), BIND("address", (way)->address),         \
        BIND_BLOB("point", (way)->point.bytes, (way)->point.length),                               \
        BIND_BLOB("secret", (way)->secret.bytes, (way)->secret.length),                            \
        BIND_OR_NULL("session_id", (way)->session_id), BIND("is_put", (way)->is_put),              \
        BIND("format", (way)->format), BIND("headers", (way)->headers), BIND("body", (way)->body), \
        BIND("is_on", (way)->is_on)

static enum store_result add(struct transaction *transaction, int64_t member_id,
                             const struct alert_way *way, int64_t *id)
{
    struct store *store = transaction->store;
    enum store_result result =
        way->kind == ALERT_PUSH
            ? store_run(store, STATEMENT_END_ALERT_SUBSCRIPTION, BIND("address", way->address))
            : STORE_DONE;
    if (result != STORE_DONE)
        return result;
    result = store_change(store, STATEMENT_INSERT_ALERT_WAY, BIND("member_id", member_id),
                          BIND("created_at", transaction->written_at_ms),
                          BIND("most", ALERT_WAYS_MAX), BIND_WAY(way));
    *id = sqlite3_last_insert_rowid(store->database->handle);
    return result == STORE_NONE ? STORE_REFUSED : result;
}

enum store_result store_save_alert_way(struct store *store, int64_t member_id,
                                       const struct alert_way *way, int64_t *id)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    *id = way->id;
    if (!way->id)
        THEN(result, add(&transaction, member_id, way, id));
    else
        THEN(result, store_change(store, STATEMENT_UPDATE_ALERT_WAY, BIND("id", way->id),
                                  BIND("member_id", member_id), BIND_WAY(way)));
    return store_finish(&transaction, result);
}

enum store_result store_switch_alert_way(struct store *store, int64_t member_id, int64_t id,
                                         bool is_on)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, store_change(store, STATEMENT_SWITCH_ALERT_WAY, BIND("id", id),
                              BIND("member_id", member_id), BIND("is_on", is_on)));
    return store_finish(&transaction, result);
}

enum store_result store_delete_alert_way(struct store *store, int64_t member_id, int64_t id)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, store_change(store, STATEMENT_DELETE_ALERT_WAY, BIND("id", id),
                              BIND("member_id", member_id)));
    return store_finish(&transaction, result);
}

enum store_result alert_ways_read_key(struct store *store, struct es256_key *out)
{
    static const struct read_column columns[] = COLUMNS(
        COLUMN_BYTES(es256_key, secret, "push_key"), COLUMN_BYTES(es256_key, point, "push_point"));
    return store_find(store, columns, NULL, out, STATEMENT_READ_PUSH_KEY);
}

enum store_result store_read_push_key(struct store *store, unsigned char out[ALERT_PUSH_KEY_BYTES])
{
    struct es256_key key;
    enum store_result result = alert_ways_read_key(store, &key);
    if (result == STORE_NONE) {
        struct transaction transaction;
        result = store_begin_write(store, &transaction);
        THEN(result, alert_ways_read_key(store, &key));
        if (result == STORE_NONE)
            result = es256_make_key(&key)
                         ? store_run(store, STATEMENT_WRITE_PUSH_KEY,
                                     BIND_BLOB("push_key", key.secret, sizeof key.secret),
                                     BIND_BLOB("push_point", key.point, sizeof key.point))
                         : STORE_BROKEN;
        result = store_finish(&transaction, result);
    }
    out[0] = 4; /* the point is uncompressed */
    memcpy(out + 1, key.point, ES256_POINT_BYTES);
    return result;
}
