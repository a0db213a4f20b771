/* /profile/data/card: the member's own QSL card. /profile/data/cards: the cards of confirmed QSOs,
 * each with the member's own QSO, the only QSO on the card. The page draws them
 * (src/pages/profile/card-drawing.js). */
#include "base/datetime.h"
#include "json/write.h"
#include "json/write_object.h"
#include "qso/render.h"
#include "qso/values.h"
#include "site/profile/card_design.h"
#include "site/profile/picture.h"
#include "site/profile/profile.h"
#include "site/profile/routes.h"
#include "site/shared/access.h"
#include "site/shared/club.h"
#include "site/shared/site_error.h"
#include "store/log/cards.h"
#include "store/log/qsos.h"

static bool shows_pictures(struct exchange *exchange)
{
    return !text_equals(club_of(exchange)->values[CLUB_PICTURES], text_of("off"));
}

/* -- One's own --------------------------------------------------------------------------------- */

static const struct error *answer_design(struct exchange *exchange)
{
    struct text design = text_of("{}");
    int64_t set_at_ms;
    enum store_result result = store_read_card(exchange->store, exchange->member.id, 0, CARD_DESIGN,
                                               exchange->arena, &design, &set_at_ms);
    buffer_append(exchange->body, design.bytes, design.length);
    return profile_store_error(result == STORE_NONE ? STORE_DONE : result);
}

static const struct error *answer_set_design(struct exchange *exchange)
{
    struct card_design_fault fault;
    struct buffer design = {0};
    TRY(body_read_object(exchange, &exchange->sent));
    if (!card_design_write(exchange->sent, exchange->arena, &design, &fault)) {
        buffer_free(&design);
        return input_refuse(exchange, fault.field, fault.message);
    }
    const struct text text = {arena_copy(exchange->arena, design.bytes, design.length),
                              design.length};
    buffer_free(&design);
    TRY(access_check_again(exchange));
    return profile_store_error(
        store_set_card(exchange->store, exchange->member.id, CARD_DESIGN, text));
}

/* The member's own card, or that of the member who confirms a QSO. */
static const struct error *answer_picture(struct exchange *exchange)
{
    bool is_own = exchange->route == &route_profile_picture;
    struct text picture = {0};
    int64_t set_at_ms;
    if (!shows_pictures(exchange))
        return &error_not_found;
    TRY(profile_store_error(store_read_card(exchange->store, exchange->member.id,
                                            is_own ? 0 : exchange->number, CARD_PICTURE,
                                            exchange->arena, &picture, &set_at_ms)));
    exchange->response->content_type = picture_type(picture);
    buffer_append(exchange->body, picture.bytes, picture.length);
    return NULL;
}

static const struct error *answer_set_picture(struct exchange *exchange)
{
    struct text picture;
    if (!shows_pictures(exchange))
        return &site_error_no_pictures;
    TRY(body_read(exchange, &picture));
    const char *fault = picture_clean(&picture, exchange->arena);
    if (fault)
        return input_refuse(exchange, "picture", fault);
    TRY(access_check_again(exchange));
    return profile_store_error(
        store_set_card(exchange->store, exchange->member.id, CARD_PICTURE, picture));
}

static const struct error *answer_remove_picture(struct exchange *exchange)
{
    return profile_store_error(store_remove_card(exchange->store, exchange->member.id, false));
}

static const struct route_body design_body = {.bytes_max = CARD_DESIGN_MAX_BYTES,
                                              .json = {.items_max = 256}};
static const struct route_body picture_body = {.type = BODY_OF_ANY_TYPE,
                                               .bytes_max = CARD_PICTURE_MAX_BYTES};

PROFILE_FILE_ROUTE(ACCESS_LOG, profile_card, "card", USES_SNAPSHOT, answer_design);
PROFILE_ROUTE_OF_LOG(profile_set_card, METHOD_PUT, "card", 204, answer_set_design,
                     .body = &design_body);
PROFILE_PRIVATE_ROUTE(profile_picture, "card/picture", answer_picture);
PROFILE_ROUTE_OF_LOG(profile_set_picture, METHOD_PUT, "card/picture", 204, answer_set_picture,
                     .body = &picture_body);
PROFILE_ROUTE_OF_LOG(profile_remove_picture, METHOD_DELETE, "card/picture", 204,
                     answer_remove_picture);

/* -- Those of confirmed QSOs ------------------------------------------------------------------- */

struct page {
    struct exchange *exchange;
    int64_t limit, count;
    struct position last;
    bool shows_pictures;
    enum store_result result;
};

/* The same picture has the same name in all cards, so a page requests it only once. */
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

/* One more row shows whether there are more. */
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

/* After `since`, the service's time in the previous answer, which the page remembers. */
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
    struct page page = {.exchange = exchange, .shows_pictures = shows_pictures(exchange)};
    struct position before = {INT64_MAX, INT64_MAX};
    struct text own;
    int64_t set_at_ms = 0;
    TRY(profile_read_limit(exchange, &page.limit));
    TRY(profile_read_cursor(exchange, &before.synced_at_ms, &before.id));
    json_begin_array(exchange->body, "items");
    enum store_result result = store_list_cards(exchange->store, exchange->member.id, before,
                                                page.limit + 1, add_card, &page);
    buffer_append(exchange->body, "]", 1);
    profile_write_cursor(exchange, page.count > page.limit, page.last.synced_at_ms, page.last.id);
    TRY(profile_store_error(result == STORE_DONE ? page.result : result));
    TRY(write_newer(exchange));
    TRY(route_find_error(store_read_card(exchange->store, exchange->member.id, 0, CARD_PICTURE,
                                         exchange->arena, &own, &set_at_ms),
                         NULL));
    json_write_fields(exchange->body, json_flag("pictures", page.shows_pictures),
                      json_number_or_null("picture", page.shows_pictures ? set_at_ms : 0));
    return NULL;
}

static const struct error *answer_card(struct exchange *exchange)
{
    struct card card;
    enum store_result result = store_find_card(exchange->store, exchange->member.id,
                                               exchange->number, exchange->arena, &card);
    THEN(result, write_card(exchange, &card, shows_pictures(exchange)));
    return profile_store_error(result);
}

PROFILE_ROUTE_OF_LOG(profile_cards, METHOD_GET, "cards", 200, answer_cards);
PROFILE_ROUTE_OF_LOG(profile_found_card, METHOD_GET, "cards/{number}", 200, answer_card);
PROFILE_PRIVATE_ROUTE(profile_partner_picture, "cards/{number}/picture", answer_picture);
