/* The switch for a station's page, and the page's address with a QR code.
 * src/site/public/log_page.c serves the page. */

#include "site/profile/log_page_switch.h"

#include "json/write.h"
#include "json/write_object.h"
#include "site/profile/profile.h"
#include "site/profile/routes.h"
#include "site/shared/address.h"
#include "site/shared/qr.h"
#include "store/people/stations.h"

void log_page_write(struct exchange *exchange)
{
    if (!exchange->member.is_station) {
        json_write_null(exchange->body, "logPage");
        return;
    }
    const char *path = address_of_log_page(exchange->arena, exchange->member.callsign),
               *address = address_below(exchange, path);
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
