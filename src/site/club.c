/* Puts together what the club says of itself: what its operators said last, by the command or the
 * operator's page, stands in the logbook, and what the service was set up with in its settings. How
 * it is shown is left to the pages. */
#include "site/club.h"

#include "worker/worker.h"

static void take_setting(struct exchange *exchange, struct text *value, enum setting_index setting)
{
    const char *text = worker_setting_text(exchange->request, setting);
    if (!value->bytes && *text)
        *value = text_of(text);
}

static const struct club *read_club(struct exchange *exchange)
{
    struct club *club = arena_allocate(exchange->arena, sizeof *club);
    if (!exchange->store || store_read_club(exchange->store, exchange->arena, club) != STORE_DONE)
        *club = (struct club){0};
    take_setting(exchange, &club->values[CLUB_NAME], SETTING_CLUB);
    take_setting(exchange, &club->values[CLUB_TEXT], SETTING_CLUB_TEXT);
    take_setting(exchange, &club->values[CLUB_ADDRESS], SETTING_ADDRESS);
    return club;
}

const struct club *club_of(struct exchange *exchange)
{
    if (!exchange->club)
        exchange->club = read_club(exchange);
    return exchange->club;
}
