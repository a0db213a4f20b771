/* Collects the club's data for pages. The operators' last changes, with the command or on the
 * operator's page, are in the logbook; the initial values are settings. Each page decides how to
 * show the data. */
#include "site/shared/club.h"

#include "worker/worker.h"

static void take_setting(struct exchange *exchange, struct text *value, enum setting_index setting)
{
    const char *text = worker_setting_text(exchange->request, setting);
    if (!value->bytes && *text)
        *value = text_of(text);
}

const struct club *club_of(struct exchange *exchange)
{
    if (exchange->club)
        return exchange->club;
    struct club *club = arena_allocate(exchange->arena, sizeof *club);
    if (!exchange->store || store_read_club(exchange->store, exchange->arena, club) != STORE_DONE)
        *club = (struct club){0};
    take_setting(exchange, &club->values[CLUB_NAME], SETTING_CLUB);
    take_setting(exchange, &club->values[CLUB_TEXT], SETTING_CLUB_TEXT);
    take_setting(exchange, &club->values[CLUB_ADDRESS], SETTING_ADDRESS);
    exchange->club = club;
    return club;
}
