/* The switch for a station's page, and the page's address with a QR code.
 * src/site/public/log_page.c serves the page. */

#include "site/profile/log_page_switch.h"

#include <ctype.h>

#include "base/format.h"
#include "json/write.h"
#include "json/write_object.h"
#include "qso/match_callsign.h"
#include "site/profile/profile.h"
#include "site/profile/routes.h"
#include "site/shared/address.h"
#include "site/shared/qr.h"
#include "store/people/stations.h"

/* Returns the address of a station's page. A slash in the callsign is replaced, because a slash
 * would end a segment of the path. */
static const char *address_of_page(struct exchange *exchange, struct text callsign)
{
    struct match_callsign normal;
    char *name = arena_allocate(exchange->arena, 3 * MATCH_CALLSIGN_BYTES + 1), *end = name;
    match_normalise_callsign(callsign, &normal);
    for (size_t i = 0; i < normal.length; i++) {
        unsigned char byte = (unsigned char)normal.bytes[i];
        if (byte == '/')
            *end++ = '-';
        else
            end += format_cut(end, sizeof "%XX", isalnum(byte) ? "%c" : "%%%02X", byte);
    }
    *end = '\0';
    return arena_print(exchange->arena, "%s/log/%s", address_of_service(exchange), name);
}

void log_page_write(struct exchange *exchange)
{
    if (!exchange->member.is_station) {
        json_write_null(exchange->body, "logPage");
        return;
    }
    const char *address = address_of_page(exchange, exchange->member.callsign);
    json_begin_object(exchange->body, "logPage");
    json_write_fields(exchange->body, json_flag("on", exchange->member.has_page),
                      json_text("address", text_of(address)));
    qr_write(exchange->body, "qr", address);
    buffer_append(exchange->body, "}", 1);
}

static const struct error *answer_switch(struct exchange *exchange)
{
    bool on;
    TRY(profile_read_flag(exchange, "on", &on));
    return profile_store_error(store_set_log_page(exchange->store, exchange->member.id, on));
}

PROFILE_ROUTE_OF_LOG(profile_log_page, METHOD_POST, "log-page", 204, answer_switch,
                     .body = &body_small_object);
