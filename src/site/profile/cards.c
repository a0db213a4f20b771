/* /profile/data/cards: the cards for confirmed QSOs. Each card contains the member's own QSO, and
 * no QSO of another member. The page draws the cards (src/web/pages/profile/card-drawing.js). */
#include "base/datetime.h"
#include "json/write.h"
#include "json/write_object.h"
#include "qso/render.h"
#include "site/profile/card.h"
#include "site/profile/profile.h"
#include "site/profile/routes.h"
#include "store/log/cards.h"
#include "store/log/qsos.h"

struct page {
    struct exchange *exchange;
    int64_t limit, count;
    struct position last;
    bool shows_pictures;
    enum store_result result;
};

/* Writes a card. A picture has the same number on all cards, so a page requests the picture only
 * once. */
static enum store_result write_card(struct exchange *exchange, const struct card *card,
                                    bool with_picture)
{
    struct qso qso;
    enum store_result result =
        store_find_own_qso(exchange->store, exchange->member.id, card->id, exchange->arena, &qso);
    if (result != STORE_DONE)
        return result;
    json_write_name(exchange->body, "qso");
    render_qso(&qso, exchange->body);
    json_write_time(exchange->body, "pairedAt", card->paired_at_ms);
    json_write_name(exchange->body, "design");
    if (card->design.bytes)
        buffer_append(exchange->body, card->design.bytes, card->design.length);
    else
        buffer_append_string(exchange->body, "null");
    json_write_fields(exchange->body,
                      json_number_or_null("picture", with_picture ? card->picture_set_at_ms : 0));
    return STORE_DONE;
}

/* Adds a card. An additional row after the page's last row shows that another page follows. */
static void add_card(void *context, const struct card *card)
{
    struct page *page = context;
    if (page->count++ >= page->limit || page->result != STORE_DONE)
        return;
    json_begin_item(page->exchange->body);
    page->result = write_card(page->exchange, card, page->shows_pictures);
    buffer_append(page->exchange->body, "}", 1);
    page->last = (struct position){card->confirmed_at_ms, card->id};
}

/* Writes the service's time. If the request gives the time from an earlier answer as `since`, also
 * writes the number of cards that have been added since that time. */
static const struct error *write_newer(struct exchange *exchange)
{
    struct text value;
    int64_t since_ms, count;
    json_write_time(exchange->body, "serverTime", exchange->server_time_ms);
    TRY(input_read_parameter(exchange, "since", &value));
    if (!value.bytes)
        return NULL;
    if (!datetime_parse(value, &since_ms))
        return input_refuse(exchange, "since", "must be a date and time with a zone");
    TRY(profile_store_error(
        store_count_new_cards(exchange->store, exchange->member.id, since_ms, &count)));
    json_write_integer(exchange->body, "newer", count);
    return NULL;
}

static const struct error *answer_cards(struct exchange *exchange)
{
    struct page page = {.exchange = exchange, .shows_pictures = card_shows_pictures(exchange)};
    struct position before = {INT64_MAX, INT64_MAX};
    struct card_content own = {0};
    TRY(profile_read_limit(exchange, &page.limit));
    TRY(profile_read_cursor(exchange, &before.synced_at_ms, &before.id));
    json_begin_array(exchange->body, "items");
    enum store_result result = store_list_cards(exchange->store, exchange->member.id, before,
                                                page.limit + 1, add_card, &page);
    buffer_append(exchange->body, "]", 1);
    profile_write_cursor(exchange, page.count > page.limit, page.last.synced_at_ms, page.last.id);
    TRY(profile_store_error(result == STORE_DONE ? page.result : result));
    if (before.id == INT64_MAX) {
        int64_t all;
        TRY(profile_store_error(store_count_cards(exchange->store, exchange->member.id, &all)));
        json_write_integer(exchange->body, "count", all);
    }
    TRY(write_newer(exchange));
    TRY(route_find_error(store_read_card(exchange->store, exchange->member.id, 0, CARD_PICTURE,
                                         exchange->arena, &own),
                         NULL));
    json_write_fields(exchange->body, json_flag("pictures", page.shows_pictures),
                      json_number_or_null("picture", page.shows_pictures ? own.set_at_ms : 0));
    return NULL;
}

static const struct error *answer_card(struct exchange *exchange)
{
    struct card card;
    enum store_result result = store_find_card(exchange->store, exchange->member.id,
                                               exchange->number, exchange->arena, &card);
    THEN(result, write_card(exchange, &card, card_shows_pictures(exchange)));
    return profile_store_error(result);
}

PROFILE_ROUTE_OF_LOG(profile_cards, METHOD_GET, "cards", 200, answer_cards);
PROFILE_ROUTE_OF_LOG(profile_found_card, METHOD_GET, "cards/{number}", 200, answer_card);
PROFILE_PRIVATE_ROUTE(profile_partner_picture, "cards/{number}/picture", card_answer_picture);
