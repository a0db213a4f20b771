/* /profile/data/card: the member's own QSL card, which has a design and a picture. */
#include "site/profile/card.h"

#include "site/profile/card_design.h"
#include "site/profile/picture.h"
#include "site/profile/profile.h"
#include "site/profile/routes.h"
#include "site/shared/access.h"
#include "site/shared/club.h"
#include "site/shared/site_error.h"
#include "store/log/cards.h"

bool card_shows_pictures(struct exchange *exchange)
{
    return !text_equals(club_of(exchange)->values[CLUB_PICTURES], text_of("off"));
}

static const struct error *answer_design(struct exchange *exchange)
{
    struct card_content design = {.text = text_of("{}")};
    enum store_result result = store_read_card(exchange->store, exchange->member.id, 0, CARD_DESIGN,
                                               exchange->arena, &design);
    buffer_append(exchange->body, design.text.bytes, design.text.length);
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

const struct error *card_answer_picture(struct exchange *exchange)
{
    bool is_own = exchange->route == &route_profile_picture;
    struct card_content picture = {0};
    if (!card_shows_pictures(exchange))
        return &error_not_found;
    TRY(profile_store_error(store_read_card(exchange->store, exchange->member.id,
                                            is_own ? 0 : exchange->number, CARD_PICTURE,
                                            exchange->arena, &picture)));
    exchange->response->content_type = picture_type(picture.text);
    buffer_append(exchange->body, picture.text.bytes, picture.text.length);
    return NULL;
}

static const struct error *answer_set_picture(struct exchange *exchange)
{
    struct text picture;
    if (!card_shows_pictures(exchange))
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
PROFILE_PRIVATE_ROUTE(profile_picture, "card/picture", card_answer_picture);
PROFILE_ROUTE_OF_LOG(profile_set_picture, METHOD_PUT, "card/picture", 204, answer_set_picture,
                     .body = &picture_body);
PROFILE_ROUTE_OF_LOG(profile_remove_picture, METHOD_DELETE, "card/picture", 204,
                     answer_remove_picture);
