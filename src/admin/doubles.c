/* The command doubles: lists pairs of QSOs that are one contact by the rule for records from other
 * programs. Only members can merge such a pair, because only they know what took place. */
#include "admin/command.h"
#include "admin/listing.h"
#include "qso/fields.h"
#include "qso/values.h"
#include "transfer/doubles.h"

/* Returns a value of the QSO, formatted as in the API. */
static struct cell cell_of(const struct listing *listing, const struct qso *qso,
                           enum field_index field)
{
    struct buffer out = {0};
    if (qso->values[field].state != VALUE_PRESENT)
        return (struct cell){0};
    values_format(&fields[field], &qso->values[field], &out);
    const struct text text = {arena_copy(listing->arena, out.bytes, out.length), out.length};
    buffer_free(&out);
    return cell(text);
}

static void add_pair(void *context, const struct doubles_pair *pair)
{
    struct listing *listing = context;
    const struct qso *older = pair->older, *newer = pair->newer;
    listing_add(listing, cell_of(listing, older, FIELD_QSO_AT),
                cell_of(listing, older, FIELD_CALLSIGN_WORKED),
                cell_of(listing, older, FIELD_FREQUENCY), cell_of(listing, older, FIELD_CHANNEL),
                cell_of(listing, older, FIELD_MODE), cell_of(listing, older, FIELD_CLIENT_ID),
                cell_of(listing, newer, FIELD_QSO_AT), cell_of(listing, newer, FIELD_FREQUENCY),
                cell_of(listing, newer, FIELD_CHANNEL), cell_of(listing, newer, FIELD_MODE),
                cell_of(listing, newer, FIELD_CLIENT_ID));
}

void run_doubles(struct invocation *invocation)
{
    struct listing listing = {.list = LIST_DOUBLES, .arena = invocation->arena};
    int64_t below = DOUBLES_BEGIN;
    bool has_more = true;
    while (has_more)
        command_require_done(doubles_list(invocation->store, invocation->member.id, &below,
                                          &has_more, add_pair, &listing));
    listing_print(invocation, &listing);
}
