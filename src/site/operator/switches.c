/* The switches on the operator's page: the club's own description, and uploads. A value that the
 * logbook lacks can come from a setting. The page shows only the logbook's own row, as the command
 * club show does. */

#include <string.h>

#include "json/write.h"
#include "json/write_object.h"
#include "site/operator/operator.h"
#include "site/operator/routes.h"
#include "store/club/club.h"
#include "store/log/uploads.h"
#include "worker/input.h"

static const struct error *answer_switches(struct exchange *exchange)
{
    struct club club;
    bool uploads = false;
    TRY(profile_store_error(store_read_club(exchange->store, exchange->arena, &club)));
    TRY(profile_store_error(store_read_uploads(exchange->store, &uploads)));
    json_write_flag(exchange->body, "uploads", uploads);
    for (int i = 0; i < CLUB_FIELDS; i++)
        json_write_fields(
            exchange->body, json_text(club_fields[i].name, club.values[i]),
            json_integer(arena_print(exchange->arena, "%sMaximum", club_fields[i].name),
                         club_fields[i].maximum));
    return NULL;
}

/* Returns whether the address begins with this page's origin; true if the page did not send its
 * origin, or no address was entered. With an address at which nobody reaches the service, all links
 * would fail, and nobody could sign in to correct the address. */
static bool is_of_this_page(struct exchange *exchange, struct text address)
{
    const char *origin = request_variable(exchange->request, "HTTP_ORIGIN");
    size_t length = strlen(origin);
    return length == 0 || !address.bytes ||
           (address.length >= length && memcmp(address.bytes, origin, length) == 0 &&
            (address.length == length || address.bytes[length] == '/'));
}

/* Returns the fault in a list of addresses, or NULL if the list has no fault. The page can send
 * back a value that the command has set. */
static const char *find_fault_in_clusters(struct exchange *exchange, struct text clusters)
{
    struct club known;
    if (club_has_public_clusters(clusters) ||
        (store_read_club(exchange->store, exchange->arena, &known) == STORE_DONE &&
         known.clusters_by_command && text_equals(clusters, known.values[CLUB_CLUSTERS])))
        return NULL;
    return "must be public addresses; qsosync-admin club set accepts others";
}

/* Stores the values in the body. An empty text removes a value. */
static const struct error *answer_club(struct exchange *exchange)
{
    struct club club = {0};
    bool given[CLUB_FIELDS] = {false};
    for (int i = 0; i < CLUB_FIELDS; i++) {
        struct text *value = &club.values[i];
        *value = json_read_text(exchange->sent, club_fields[i].name);
        given[i] = value->bytes != NULL;
        const char *message = given[i] ? club_check_value((enum club_field)i, value) : NULL;
        if (!message && i == CLUB_ADDRESS && !is_of_this_page(exchange, *value))
            message = "must be an address on this site";
        if (!message && i == CLUB_CLUSTERS)
            message = find_fault_in_clusters(exchange, *value);
        if (message)
            return input_refuse(exchange, club_fields[i].name, message);
    }
    return operator_store_error(exchange, store_set_club(exchange->store, &club, given),
                                &error_internal);
}

static const struct error *answer_uploads(struct exchange *exchange)
{
    bool on;
    TRY(profile_read_flag(exchange, "on", &on));
    return operator_store_error(exchange, store_set_uploads(exchange->store, on), &error_internal);
}

OPERATOR_ROUTE(operator_switches, METHOD_GET, "switches", 200, answer_switches);
OPERATOR_ROUTE(operator_club, METHOD_POST, "club", 204, answer_club, .body = &body_small_object);
OPERATOR_ROUTE(operator_uploads, METHOD_POST, "uploads", 204, answer_uploads,
               .body = &body_small_object);
