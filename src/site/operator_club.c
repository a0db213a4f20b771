/* The switches of the operator's page: what the club says of itself, and uploads. What is not set
 * in the logbook may come from a setting; the page shows the logbook's own row, as the command club
 * show does. */
#include <string.h>

#include "json/write.h"
#include "site/operator.h"
#include "store/club.h"
#include "store/logbook.h"

static const struct error *answer_switches(struct exchange *exchange)
{
    struct buffer *body = &exchange->response->body;
    struct club club;
    bool uploads = false;
    enum store_result result = store_read_club(exchange->store, exchange->arena, &club);
    if (result == STORE_DONE)
        result = store_read_uploads(exchange->store, &uploads);
    if (result != STORE_DONE)
        return profile_store_error(result);
    buffer_append(body, "{", 1);
    json_write_flag(body, "uploads", uploads);
    for (int i = 0; i < CLUB_FIELDS; i++) {
        json_write_text(body, club_fields[i].name, club.values[i]);
        json_write_integer(body, arena_print(exchange->arena, "%sMaximum", club_fields[i].name),
                           club_fields[i].maximum);
    }
    buffer_append(body, "}", 1);
    return NULL;
}

/* An address under which the service is not reached would make links that lead nowhere, and let
 * nobody sign in to mend it: on this page it is the one of the page itself. */
static const char *judge_address(struct exchange *exchange, struct text address)
{
    const char *origin = gateway_variable(exchange->request->gateway, "HTTP_ORIGIN");
    size_t length = origin ? strlen(origin) : 0;
    if (length == 0 || !address.bytes)
        return NULL;
    bool is_own = address.length >= length && memcmp(address.bytes, origin, length) == 0 &&
                  (address.length == length || address.bytes[length] == '/');
    return is_own ? NULL : "must begin as the address of this page does";
}

static const char *judge(struct exchange *exchange, enum club_field field, struct text *value)
{
    const char *message = club_judge(field, value);
    return message || field != CLUB_ADDRESS ? message : judge_address(exchange, *value);
}

/* All that the body names; an empty text takes one away. */
static const struct error *answer_club(struct exchange *exchange)
{
    const struct json_fields *body;
    struct club club = {0};
    bool given[CLUB_FIELDS] = {false};
    const struct error *error = profile_read_body(exchange, &body);
    for (int i = 0; i < CLUB_FIELDS && !error; i++) {
        struct text value = json_read_text(body, club_fields[i].name);
        given[i] = value.bytes != NULL;
        const char *message = given[i] ? judge(exchange, (enum club_field)i, &value) : NULL;
        if (message)
            error = profile_refuse(exchange, club_fields[i].name, message);
        club.values[i] = value;
    }
    return error ? error
                 : operator_store_error(exchange, store_set_club(exchange->store, &club, given),
                                        &error_internal);
}

static const struct error *answer_uploads(struct exchange *exchange)
{
    const struct json_fields *body;
    bool on;
    const struct error *error = profile_read_body(exchange, &body);
    if (!error)
        error = operator_read_switch(exchange, body, &on);
    return error ? error
                 : operator_store_error(exchange, store_set_uploads(exchange->store, on),
                                        &error_internal);
}

OPERATOR_ROUTE(operator_switches, METHOD_GET, "switches", USES_SNAPSHOT, 200, answer_switches);
OPERATOR_ROUTE(operator_club, METHOD_POST, "club", USES_STORE, 204, answer_club);
OPERATOR_ROUTE(operator_uploads, METHOD_POST, "uploads", USES_STORE, 204, answer_uploads);
