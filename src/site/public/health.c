/* GET /healthz: shows monitoring programs only whether the service can read its logbook. The route
 * is public, so the answer contains no counts and no version; the command metrics prints counts.
 * With ?request, the answer also shows how this request arrived, so that the doctor can find out
 * how a proxy changes requests. */
#include "json/write.h"
#include "json/write_object.h"
#include "site/public/routes.h"
#include "site/shared/address.h"
#include "store/log/logbook.h"
#include "store/log/logbook_status.h"

static bool can_read(struct exchange *exchange)
{
    int64_t now_ms = exchange->request->arrived_ms;
    if (!exchange->store || store_begin_read(exchange->store, &now_ms) != STORE_DONE)
        return false;
    enum store_result result = store_probe(exchange->store);
    store_end_read(exchange->store);
    return result == STORE_DONE;
}

/* Writes the names of headers by which proxies identify themselves, without their values. */
static void write_headers(struct exchange *exchange)
{
    static const struct {
        const char *variable, *header;
    } of_proxies[] = {{"HTTP_X_FORWARDED_FOR", "X-Forwarded-For"},
                      {"HTTP_X_FORWARDED_PROTO", "X-Forwarded-Proto"},
                      {"HTTP_X_FORWARDED_HOST", "X-Forwarded-Host"},
                      {"HTTP_VIA", "Via"}};
    json_begin_array(exchange->body, "headers");
    for (size_t i = 0; i < sizeof of_proxies / sizeof *of_proxies; i++)
        if (gateway_variable(exchange->request->gateway, of_proxies[i].variable)) {
            json_write_element(exchange->body);
            buffer_print(exchange->body, "\"%s\"", of_proxies[i].header);
        }
    buffer_append(exchange->body, "]", 1);
}

static void write_request(struct exchange *exchange)
{
    const struct request *request = exchange->request;
    json_begin_object(exchange->body, "request");
    json_write_fields(
        exchange->body, json_text("address", text_of(address_of_service(exchange))),
        json_text("client", text_of(request->remote_address)),
        json_text("protocol", text_of(gateway_variable(request->gateway, "SERVER_PROTOCOL"))));
    write_headers(exchange);
    buffer_append(exchange->body, "}", 1);
}

static const struct error *answer(struct exchange *exchange)
{
    bool healthy = can_read(exchange);
    if (!healthy)
        exchange->status = 503;
    json_write_text(exchange->body, "status", text_of(healthy ? "ok" : "unavailable"));
    if (text_equals(exchange->request->query, text_of("request")))
        write_request(exchange);
    return NULL;
}

PUBLIC_OBJECT_ROUTE(health, METHOD_GET, "/healthz", USES_NOTHING, answer);
