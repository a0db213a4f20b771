/* The command spots: prints the newest spots, as lines that cluster programs read, or with all
 * fields as JSON. src/qso/spot.c formats a line; src/store/log/spots.c selects the spots. */
#include <stdio.h>

#include "admin/command.h"
#include "admin/values.h"
#include "admin/output.h"
#include "admin/listing.h"
#include "qso/fields.h"
#include "qso/spot.h"
#include "store/log/spots.h"

#define LIMIT_DEFAULT 50
#define LIMIT_MAX 10000

/* The newest spots, up to the wanted number: rows for programs, or lines. When lines are printed, a
 * spot that cannot be formatted is skipped and does not count. */
struct newest {
    struct listing *listing; /* NULL: lines */
    int64_t wanted;
};

static bool take(void *context, const struct spot *spot)
{
    struct newest *newest = context;
    char line[SPOT_LINE_LENGTH + 1];
    if (newest->listing)
        listing_add(newest->listing, cell_time(spot->spotted_at_ms), cell(spot->spotter),
                    cell(spot->dx_callsign), cell(text_of(fields[FIELD_BAND].choices[spot->band])),
                    cell_if(spot->frequency_hz != 0, spot->frequency_hz),
                    cell_if(spot->channel != 0, spot->channel), cell(spot->ctcss_tone),
                    cell(spot->dcs_code), cell(text_of(spot_mode_name(spot))),
                    cell(spot->my_locator), cell(spot->dx_locator), cell(spot->qso_id));
    else if (spot_format_line(spot, line))
        output_write(stdout, "%s\n", line);
    else
        return true;
    return --newest->wanted > 0;
}

void run_spots(struct invocation *invocation)
{
    struct listing listing = {.list = LIST_SPOTS, .arena = invocation->arena};
    const bool json = command_has_option(invocation, "json");
    struct newest newest = {.listing = json ? &listing : NULL,
                            .wanted =
                                command_read_number(invocation, "limit", LIMIT_MAX, LIMIT_DEFAULT)};
    command_require_done(store_list_spots(invocation->store, INT64_MAX, take, &newest));
    if (json)
        listing_print(invocation, &listing);
}
