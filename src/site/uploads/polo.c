/* Ham2K PoLo's sync, in the format of its own service: a member enters only an address that ends
 * with /lofi/TOKEN as the server. PoLo then requests a second token, which represents the phone.
 * src/transfer/polo_save.c stores the records. */
#include "base/text_hex.h"
#include "json/read.h"
#include "json/write.h"
#include "json/write_object.h"
#include "site/uploads/routes.h"
#include "site/uploads/uploads.h"
#include "store/log/logbook.h"
#include "store/log/polo_account.h"
#include "store/log/polo_list.h"
#include "transfer/polo.h"
#include "worker/body.h"

#define TOKEN_SEGMENT 1 /* /lofi/{token}/v1/sync */
#define PHONE_BYTES 8   /* number of bytes in the hash of the phone's name */
#define PHONE_DIGITS ((size_t)2 * PHONE_BYTES)

/* The pause between two requests of a phone that has more to send or fetch. PoLo's default is 20 s.
 */
#define LOOP_DELAY_MS 3000

static const struct error *refuse(struct exchange *exchange, int status, const char *message)
{
    exchange->status = status;
    json_write_fields(exchange->body, json_text("error", text_of(message)));
    return &route_answered;
}

/* Rewords the fault of a body in the format that PoLo shows. */
static const struct error *reword(struct exchange *exchange, const struct error *error)
{
    return error && error->status == 400
               ? refuse(exchange, 400,
                        arena_print(exchange->arena, "The %s %s.", error->field, error->message))
               : error;
}

static const struct error *refuse_token(struct exchange *exchange)
{
    return refuse(exchange, 401,
                  "The address is no longer valid. Create a new address in your profile.");
}

static const struct error *identify(struct exchange *exchange, struct polo_account *account)
{
    enum store_result result =
        uploads_identify(exchange, exchange->request->segments[TOKEN_SEGMENT], API_KEY_POLO);
    THEN(result, store_polo_read_account(exchange->store, exchange->identity.key_number,
                                         exchange->arena, account));
    return result == STORE_NONE ? refuse_token(exchange) : route_store_error(result);
}

static const struct error *store_error(struct exchange *exchange, enum store_result result)
{
    return result == STORE_DENIED ? refuse_token(exchange) : route_store_error(result);
}

static void write_account(struct exchange *exchange, const char *name,
                          const struct polo_account *account)
{
    json_write_object(exchange->body, name, json_text("uuid", account->uuid),
                      json_text("call", account->callsign));
}

/* Answers with the token that represents the phone, and creates the operation for the QSOs that
 * PoLo did not log. */
static const struct error *answer_client(struct exchange *exchange)
{
    struct transaction transaction;
    unsigned char hash[API_KEY_FINGERPRINT_BYTES];
    struct polo_account account;
    const struct json_fields *body, *client;
    TRY(identify(exchange, &account));
    TRY(reword(exchange, body_read_object(exchange, &body)));
    client = json_find_object(body, "client");
    struct text key = client ? json_read_text(client, "key") : (struct text){0};
    if (!key.bytes)
        return refuse(exchange, 400, "The body must contain client.key.");
    enum store_result result = store_begin_write(exchange->store, &transaction);
    THEN(result, store_polo_add_operation(&transaction, exchange->identity.member_id, &account,
                                          exchange->request->arrived_ms));
    TRY(store_error(exchange, store_finish(&transaction, result)));
    api_key_fingerprint(key, hash);
    json_write_name(exchange->body, "token");
    buffer_append(exchange->body, "\"", 1);
    buffer_append_hex(exchange->body, hash, PHONE_BYTES);
    buffer_append(exchange->body, "\"", 1);
    write_account(exchange, "account", &account);
    return NULL;
}

static const struct error *answer_accounts(struct exchange *exchange)
{
    struct buffer *out = exchange->body;
    struct polo_account account;
    struct polo_counts counts;
    TRY(identify(exchange, &account));
    if (store_polo_count(exchange->store, exchange->identity.member_id, &counts) != STORE_DONE)
        return &error_internal;
    write_account(exchange, "current_account", &account);
    buffer_append_string(out, ",\"clients\":[],\"accounts\":[],\"pending_challenges\":[]");
    json_write_object(out, "operations", json_integer("total", counts.operations));
    json_write_object(out, "qsos", json_integer("total", counts.qsos + counts.kept));
    return NULL;
}

struct sync {
    struct exchange *exchange;
    struct polo_account account;
    struct polo_request request;
    int64_t own_ms; /* stamp of the records that the request has written */
    bool resets;    /* whether the phone has another log and must start again from the beginning */
};

/* Saves the request's records. A phone that has another log's epoch and requests the newest records
 * first begins a full sync, so this log's epoch is stored. */
static enum store_result save(struct sync *sync)
{
    struct exchange *exchange = sync->exchange;
    struct transaction transaction;
    const struct polo_query *query = &sync->request.question.queries[POLO_QSO];
    const bool has_other_log =
        query->is_there && sync->account.phone_epoch != sync->account.log_epoch;
    const bool begins = has_other_log && query->goes_back;
    sync->own_ms = INT64_MAX;
    sync->resets = has_other_log && !begins;
    if (sync->request.count == 0 && !begins)
        return STORE_DONE;
    enum store_result result = store_begin_write(exchange->store, &transaction);
    sync->own_ms = transaction.stamp_ms;
    THEN(result, polo_save(&transaction, &exchange->identity, &sync->request));
    if (begins)
        THEN(result, store_polo_note_epoch(&transaction, exchange->identity.key_number));
    return store_finish(&transaction, result);
}

static enum store_result append_records(struct sync *sync, enum polo_kind kind, int64_t *left)
{
    struct exchange *exchange = sync->exchange;
    struct buffer *out = exchange->body;
    *left = 0;
    json_write_name(out, kind == POLO_QSO ? "qsos" : "operations");
    if (sync->resets || !sync->request.question.queries[kind].is_there) {
        buffer_append_string(out, "[]");
        return STORE_DONE;
    }
    const struct polo_phone phone = {.member = &exchange->identity,
                                     .account = &sync->account,
                                     .request = &sync->request,
                                     .now_ms = exchange->request->arrived_ms,
                                     .own_ms = sync->own_ms};
    return polo_append_records(exchange->store, &phone, kind, out, left);
}

static enum store_result answer_records(struct sync *sync)
{
    struct exchange *exchange = sync->exchange;
    struct buffer *out = exchange->body;
    struct polo_counts counts = {0};
    int64_t operations_left = 0, qsos_left = 0;
    write_account(exchange, "account", &sync->account);
    enum store_result result = append_records(sync, POLO_OPERATION, &operations_left);
    THEN(result, append_records(sync, POLO_QSO, &qsos_left));
    THEN(result, store_polo_count(exchange->store, exchange->identity.member_id, &counts));
    json_begin_object(out, "meta");
    json_write_object(out, "operations", json_integer("totalRecords", counts.operations),
                      json_integer("recordsLeft", operations_left));
    json_write_object(out, "qsos", json_integer("totalRecords", counts.qsos + counts.kept),
                      json_integer("recordsLeft", qsos_left));
    json_write_integer(out, "suggestedSyncLoopDelay", LOOP_DELAY_MS);
    if (sync->resets)
        json_write_flag(out, "resetSyncedStatus", true);
    buffer_append(out, "}", 1);
    return result;
}

static const struct error *read_request(struct sync *sync)
{
    struct exchange *exchange = sync->exchange;
    struct text text;
    TRY(reword(exchange, body_read_object(exchange, &exchange->sent)));
    TRY(body_read(exchange, &text));
    return store_error(exchange,
                       polo_read(exchange->store, text, exchange->identity.callsign,
                                 exchange->arena, exchange->request->arrived_ms, &sync->request));
}

static const struct error *answer_sync(struct exchange *exchange)
{
    const struct text phone = exchange->request->key;
    struct sync sync = {.exchange = exchange, .request.phone = phone};
    unsigned char hash[PHONE_BYTES];
    TRY(identify(exchange, &sync.account));
    if (phone.length != PHONE_DIGITS || !text_parse_hex(phone, hash))
        return refuse_token(exchange);
    TRY(read_request(&sync));
    TRY(store_error(exchange, save(&sync)));
    int64_t now_ms = exchange->request->arrived_ms;
    enum store_result result = store_begin_read(exchange->store, &now_ms);
    if (result == STORE_DONE) {
        result = answer_records(&sync);
        store_end_read(exchange->store);
    }
    return store_error(exchange, result);
}

#define POLO_ROUTE(name, verb, where, uses, function, ...)                                         \
    SITE_ROUTE(name, verb, "/lofi/{token}/v1/" where, .access = ACCESS_UPLOADS, .use = uses,       \
               .status = 200, .is_object = true, .answer = function, __VA_ARGS__)

static const struct route_body client_body = {
    .type = BODY_OF_ANY_TYPE, .bytes_max = BODY_UNKNOWN_MAX_BYTES, .json = {.items_max = 512}};
static const struct route_body sync_body = {
    .type = BODY_OF_ANY_TYPE, .bytes_max = REQUEST_BODY_MAX_BYTES, .json = POLO_BOUNDS};

POLO_ROUTE(polo_client, METHOD_POST, "client", USES_STORE, answer_client, .body = &client_body);
POLO_ROUTE(polo_accounts, METHOD_GET, "accounts", USES_SNAPSHOT, answer_accounts);
POLO_ROUTE(polo_sync, METHOD_POST, "sync", USES_STORE, answer_sync, .body = &sync_body);
